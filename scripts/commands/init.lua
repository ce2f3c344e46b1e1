--- The verbs of the command line. The host runs this file with the arguments; it returns the exit code.
local arguments = { ... }

-- Scenes are large programs: with the compiler's own limits (1000 traces, 512 KiB) their code would be thrown away and
-- compiled again every few frames.
if jit and jit.status() then
  require('jit.opt').start('maxtrace=8000', 'maxrecord=16000', 'maxirconst=4000', 'maxmcode=40960', 'sizemcode=128')
end

require('loader').install()
local common = require('commands.common')

local VERBS = { 'walk', 'play', 'bench', 'shot', 'render', 'diff', 'import', 'run', 'check', 'new', 'test',
  'bench-all' }
local ABOUT = {
  walk = 'walk the village, or another scene', play = 'any scene, or a model, in a window',
  bench = 'the scripted walker; JSON on standard output', shot = 'one frame, without a display',
  render = 'a sequence of frames; takes up where it stopped', diff = 'how much two pictures differ',
  import = 'a model of another format as .glb',
  run = 'any Lua script against the bindings',
  check = 'lint and dry-run a pipeline, a quality table or a scene', new = 'a starter project', test = 'all tests',
  ['bench-all'] = 'all benches',
}

local verb = arguments[1]
if verb == 'help' and ABOUT[arguments[2]] then
  verb = arguments[2]
  arguments = { verb, '--help' }
end
if verb == '-h' or verb == '--help' or verb == 'help' then
  io.write('usage: ./thatch VERB ...\n\n')
  for _, name in ipairs(VERBS) do io.write(('  %-10s %s\n'):format(name, ABOUT[name])) end
  io.write('\n./thatch VERB --help says more; --safe behind a verb confines borrowed scripts.\n',
    'It ends with 0 when all is well, 1 when a job fails, 2 on wrong usage, 124 when a script does not come back, ',
    '130 on ctrl-C.\n')
  return 0
end
if verb == nil then
  io.stderr:write('thatch: which verb? ', table.concat(VERBS, ' '), '; see ./thatch --help\n')
  return 2
end
if not ABOUT[verb] then
  local near = common.nearest(verb, VERBS)
  io.stderr:write(("thatch: there is no verb '%s'%s; see ./thatch --help\n"):format(verb:sub(1, 100):gsub('%c', '?'),
    near and (", did you mean '" .. near .. "'?") or ''))
  return 2
end
table.remove(arguments, 1)
return common.run(verb, ABOUT[verb], require('commands.' .. verb:gsub('-', '_')), arguments)
