--- The neutral scene as its page says: every pixel, one still shadow map of 1024 texels, nothing else.
return {
  base = 'ultra',
  render_scale = 1,
  shadows = 'still',
  shadow_size = 1024,
  shadow_filter = 2,
  smooth_edges = false,
  trilinear = false,
  upscale = 'bilinear',
}
