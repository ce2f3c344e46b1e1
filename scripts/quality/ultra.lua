--- Every pixel.
return {
  render_scale = 1, -- the frame's share of the window's width and height, 0.25 to 1
  plants = 'all', -- fewest, fewer, many, all
  grass_wind_every = 1, -- frames between two winds, 0: still
  sky_step = 1, -- pixels between two samples of the sky
  water_step = 1, -- pixels between two shaded samples of the water
  water_refresh_every = 1, -- frames that share one surface
  animal_coarseness = 1, -- times the cell of an animal's mesh
  shadows = 'full', -- none, still, cached, full
  shadow_size = 4096, -- texels, a power of two
  shadow_filter = 4, -- taps a side, 2 or 4
  upscale = 'bilinear', -- bilinear, sharp
  smooth_edges = true,
  trilinear = true, -- mix two levels of a map
  light = 'vertex', -- lit at the corners of triangles, or at each pixel
  -- the night and the rain; + ms: what each added to a frame at 1920x1080 (bench/README.md)
  point_lights = 32, -- +1 ms at night: the nearest lamps and hearths that light, 0 to 32
  critters = 120, -- fireflies at night, butterflies by day
  rain_streaks = 3200, -- +4 ms: drops that are seen falling
  rain_rings = 60, -- +14 ms: rings on the water, 0 to 60
}
