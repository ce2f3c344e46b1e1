--- For two slow cores: a third of the window.
return {
  render_scale = 1 / 3, -- the frame's share of the window's width and height, 0.25 to 1
  plants = 'fewest', -- fewest, fewer, many, all
  grass_wind_every = 4, -- frames between two winds, 0: still
  sky_step = 3, -- pixels between two samples of the sky
  water_step = 8, -- pixels between two shaded samples of the water
  water_refresh_every = 4, -- frames that share one surface
  animal_coarseness = 3, -- times the cell of an animal's mesh
  shadows = 'cached', -- none, still, cached, full
  shadow_size = 1024, -- texels, a power of two
  shadow_filter = 2, -- taps a side, 2 or 4
  upscale = 'sharp', -- bilinear, sharp
  smooth_edges = true,
  trilinear = false, -- mix two levels of a map
  light = 'vertex', -- lit at the corners of triangles, or at each pixel
  -- the night and the rain; + ms: what each added to a frame at 1920x1080 (bench/README.md)
  point_lights = 16, -- +0.9 ms at night: the nearest lamps and hearths that light, 0 to 32
  critters = 48, -- fireflies at night, butterflies by day
  rain_streaks = 1300, -- +0.8 ms: drops that are seen falling
  rain_rings = 40, -- +0.1 ms: rings on the water, 0 to 60
}
