--- Meshes of leaves and blades that are thinned by the quality: made here, and made again when it changes.
local M = {}

-- how early each kind is thinned, by quality.plants
M.FINE = {
  tree = { fewest = 0.16, fewer = 0.27, many = 0.16, all = 0.15 },
  bush = { fewest = 0.17, fewer = 0.42, many = 0.26, all = 0.28 },
  grass = { fewest = 0.7, fewer = 0.85, many = 1.1, all = 1.24 },
}

function M.fine(kind, quality)
  return M.FINE[kind][quality.plants] or M.FINE[kind].many
end

--- A mesh of the scene, as scene:mesh makes it.
---@param state table
---@param kind string
---@param options thatch.MeshOptions
function M.mesh(state, kind, options)
  local list = state.thinned or {}
  state.thinned = list
  list[#list + 1] = { kind = kind, options = options, mesh = state.scene:mesh(options) }
end

--- All again with the sizes of another quality. What is shared, the geometry, stays.
function M.quality_changed(state, quality)
  local before = state.quality
  if before.plants == quality.plants then return end
  for i = 1, #state.thinned do
    local t = state.thinned[i]
    t.options.item_size = t.options.item_size * M.fine(t.kind, quality) / M.fine(t.kind, before)
    t.mesh:destroy()
    t.mesh = state.scene:mesh(t.options)
  end
end

return M
