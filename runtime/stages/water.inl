struct WaterJob;
static void kernel_water_samples(const struct WaterJob *job, int32_t first_row, int32_t end_row) { (void)job, (void)first_row, (void)end_row; }
static void kernel_water_fill(const struct WaterJob *job, int32_t tile) { (void)job, (void)tile; }
