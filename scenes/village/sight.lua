--- What moves is posed only where it can be seen, or where its shadow can: ahead of the eye, and close round it.
local sqrt = math.sqrt

local M = {}

local ex, ez, fx, fz, level = 0, 0, 0, -1, false

--- Takes the frame's view.
function M.from(view)
  local e, t = view.eye, view.target
  local dx, dy, dz = t[1] - e[1], t[2] - e[2], t[3] - e[3]
  local across = sqrt(dx * dx + dz * dz)
  ex, ez = e[1], e[3]
  level = across > 0.5 * sqrt(dx * dx + dy * dy + dz * dz) -- not looking steeply up or down
  if across > 1e-6 then fx, fz = dx / across, dz / across end
end

--- Is a place within `far` metres, and in front or near?
function M.sees(x, z, far)
  local dx, dz = x - ex, z - ez
  if dx * dx + dz * dz > far * far then return false end
  if not level then return true end
  local ahead, side = dx * fx + dz * fz, dx * fz - dz * fx
  if side < 0 then side = -side end
  return ahead > -10 and side < (ahead > 0 and ahead or 0) * 1.4 + 12
end

return M
