--- bench-all: the village at each preset, each in a process of its own; a table, and the JSON in a folder.
local common = require('commands.common')

local M = {}

function M.describe(parser)
  parser:option('--scene', 'A scene of scenes/, or a Lua file.', 'village')
  parser:option('--size', 'Size of the window.', '1920x1080'):convert(common.size)
  parser:option('--frames', 'Frames that are measured.', '120'):convert(common.whole('frames', 1, 100000))
  parser:option('--threads', 'Worker threads.'):convert(common.whole('threads', 1, 64))
  parser:option('--vsc', 'A VSC1 file: the neutral scene is measured too.')
  parser:option('--out', 'Folder of the JSON.', 'out/bench'):convert(common.name)
end

local function bench(program, options, name, words)
  local path = ('%s/%s.json'):format(options.out, name)
  local threads = options.threads and '--threads ' .. options.threads or ''
  local command = ('%s bench %s %s > %s'):format(common.quote(program), threads, words, common.quote(path .. '.tmp'))
  io.stderr:write(name, '\n')
  local code = common.shell(command)
  if code ~= 0 then
    os.remove(path .. '.tmp')
    return nil
  end
  os.rename(path .. '.tmp', path)
  return require('cjson').decode((require('loader').read(path)))
end

function M.run(options)
  local has_host, host = pcall(require, 'thatch.host')
  if not has_host then common.fail('bench-all needs ./thatch') end
  local program = host.program_dir .. '/thatch'
  local found, message = require('loader').find_scene(options.scene)
  if not found then common.usage('%s', message) end
  if options.vsc and not require('loader').exists(options.vsc) then
    common.usage('%s', require('loader').no_file(options.vsc))
  end
  common.make_folder(options.out)
  local window = ('%dx%d'):format(options.size[1], options.size[2])
  local jobs = {}
  for _, preset in ipairs(require('thatch').quality.presets) do
    jobs[#jobs + 1] = { ('%s_%s'):format(options.scene:match('([^/]+)$'), preset),
      ('%s --quality %s --size %s --frames %d'):format(common.quote(options.scene), preset,
        window, options.frames) }
  end
  if options.vsc then
    local neutral = host.root .. '/bench/neutral'
    for _, size in ipairs({ '640x360', '1920x1080' }) do
      jobs[#jobs + 1] = { 'neutral_' .. size,
        ('%s --quality %s --size %s --frames 60 --warmup 60 -- %s'):format(common.quote(neutral .. '/scene.lua'),
          common.quote(neutral .. '/quality.lua'), size, common.quote(options.vsc)) }
    end
  end
  local failed = 0
  local lines = { ('%-24s %-10s %9s %9s %9s %7s %10s  %s'):format('bench', 'frame', 'median', 'p95', 'slowest', 'fps',
    'in setup', 'hash') }
  for _, job in ipairs(jobs) do
    local r = bench(program, options, job[1], job[2])
    if r then
      lines[#lines + 1] = ('%-24s %-10s %9.2f %9.2f %9.2f %7.1f %10d  %s'):format(job[1],
        ('%dx%d'):format(r.frame[1], r.frame[2]), r.frame_ms.median, r.frame_ms.p95, r.frame_ms.max, r.fps_median,
        r.counts.triangles_setup, r.hash:sub(1, 12))
    else
      failed = failed + 1
      lines[#lines + 1] = ('%-24s failed'):format(job[1])
    end
  end
  io.stdout:write(table.concat(lines, '\n'), '\n')
  return failed > 0 and 1 or 0
end

return M
