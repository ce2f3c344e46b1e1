--- Half of the window.
return {
  render_scale = 1 / 2, -- the frame's share of the window's width and height, 0.25 to 1
  plants = 'fewer', -- fewest, fewer, many, all
  grass_wind_every = 2, -- frames between two winds, 0: still
  sky_step = 2, -- pixels between two samples of the sky
  water_step = 4, -- pixels between two shaded samples of the water
  water_refresh_every = 2, -- frames that share one surface
  animal_coarseness = 2, -- times the cell of an animal's mesh
  shadows = 'cached', -- none, still, cached, full
  shadow_size = 2048, -- texels, a power of two
  shadow_filter = 2, -- taps a side, 2 or 4
  upscale = 'sharp', -- bilinear, sharp
  smooth_edges = true,
  trilinear = false, -- mix two levels of a map
  light = 'vertex', -- lit at the corners of triangles, or at each pixel
  -- the night and the rain; + ms: what each added to a frame at 1920x1080 (bench/README.md)
  point_lights = 24, -- +1.4 ms at night: the nearest lamps and hearths that light, 0 to 32
  critters = 64, -- fireflies at night, butterflies by day
  rain_streaks = 1800, -- +2 ms: drops that are seen falling
  rain_rings = 50, -- +0.1 ms: rings on the water, 0 to 60
}
