local lfs = require('lfs')
local support = require('tests.specs.support')
local thatch = require('thatch')

local program = os.getenv('THATCH_PROGRAM')
local folder = support.folder()
local inner = folder .. '/models'
lfs.mkdir(inner)

local function start(arguments, variables)
  local pipe = io.popen(('cd %s && env -u DISPLAY -u WAYLAND_DISPLAY %s %s %s 2>&1; echo "code $?"'):format(inner,
    variables or '', program, arguments))
  local output = pipe:read('*a')
  pipe:close()
  return output
end

local function names_in(path)
  local names = {}
  for name in lfs.dir(path) do
    if name ~= '.' and name ~= '..' then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

local SQUARE = 'v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n'
local FACE = 'f 1/1 2/2 3/3 4/4\n'

local DAE = [[<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 3 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>]]

describe('import', function()
  if not program or not support.has('assimp') then
    pending('needs assimp (Debian package assimp-utils)')
    return
  end

  it('makes a .glb of an OBJ, with its pictures inside', function()
    lfs.mkdir(inner .. '/tex')
    thatch.image.write(inner .. '/tex/wood.png', { 10, 20, 30, 255 }, 1, 1)
    -- an uncompressed TGA of one texel, found by its name
    support.write(inner .. '/Stone.tga', '\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\24\0\1\2\3')
    support.write(inner .. '/a.mtl', 'newmtl wood\nKd 1 1 1\nmap_Kd tex\\wood.png\nnewmtl stone\nKd 1 1 1\n' ..
      'map_Kd C:\\work\\Stone.tga\nnewmtl gone\nKd 1 0 0\nmap_Kd nowhere.png\n')
    support.write(inner .. '/a.obj', 'mtllib a.mtl\n' .. SQUARE .. 'usemtl wood\n' .. FACE .. 'usemtl stone\n' ..
      FACE .. 'usemtl gone\n' .. FACE)
    local said = start('import a.obj')
    assert.is_truthy(said:find('code 0\n', 1, true), said)
    assert.is_truthy(said:find("the picture 'nowhere.png' is not in the folder of the model, and is left out", 1, true),
      said)
    assert.is_truthy(said:find('made a.glb: ', 1, true) and said:find('./thatch play a.glb\n', 1, true), said)
    local model = thatch.models.load(inner .. '/a.glb')
    assert.same({ 6, 3 }, { model.counts.triangles, model.counts.images })
    assert.same({ 2, 1, 0 }, model.bounds.max)
    local names = names_in(inner)
    table.sort(names)
    assert.same({ 'Stone.tga', 'a.glb', 'a.mtl', 'a.obj', 'tex' }, names)
    assert.is_truthy(start('shot a.glb --size 96x54'):find('code 0', 1, true))
  end)

  it('makes a .glb of an STL and of Collada, where --out says', function()
    support.write(inner .. '/t.stl', 'solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n' ..
      'vertex 0 1 0\nendloop\nendfacet\nendsolid t\n')
    assert.is_truthy(start('import t.stl --out made'):find('made made/t.glb: ', 1, true))
    assert.equal(1, thatch.models.load(inner .. '/made/t.glb').counts.triangles)
    support.write(inner .. '/t.dae', DAE)
    local said = start('import t.dae --out made/x.glb --smooth')
    assert.is_truthy(said:find('made made/x.glb: ', 1, true), said)
    assert.equal(3, thatch.models.load(inner .. '/made/x.glb').bounds.max[1])
    assert.same({ 't.glb', 'x.glb' }, names_in(inner .. '/made'))
  end)

  it('lets assimp read no file outside the folder', function()
    support.write(folder .. '/secret.mtl', 'newmtl secret\nKd 0.125 0.25 0.5\n')
    support.write(inner .. '/own.mtl', 'newmtl secret\nKd 0.125 0.25 0.5\n')
    local function color(library)
      support.write(inner .. '/h.obj', 'mtllib ' .. library .. '\n' .. SQUARE .. 'usemtl secret\n' .. FACE)
      local said = start('import h.obj')
      if said:find('no Landlock', 1, true) then return nil end
      assert.is_truthy(said:find('code 0\n', 1, true), said)
      local materials = thatch.models.load(inner .. '/h.glb').materials
      return materials[#materials]:get().color[1]
    end
    local own = color('own.mtl')
    if own == nil then
      pending('needs a kernel with Landlock')
      return
    end
    assert.equal(0.125, own)
    assert.are_not.equal(0.125, color('../secret.mtl'))
    assert.are_not.equal(0.125, color(folder .. '/secret.mtl'))
    color('../../../../../../etc/passwd')
    os.execute(('ln -sf ../secret.mtl %s/link.mtl'):format(inner))
    assert.are_not.equal(0.125, color('link.mtl'))
  end)

  it('takes no picture from outside the folder', function()
    thatch.image.write(folder .. '/secret.png', { 1, 2, 3, 255 }, 1, 1)
    os.execute(('ln -sf ../secret.png %s/link.png'):format(inner))
    for _, name in ipairs({ '../secret.png', 'link.png', folder .. '/secret.png' }) do
      support.write(inner .. '/p.mtl', 'newmtl m\nKd 1 1 1\nmap_Kd ' .. name .. '\n')
      support.write(inner .. '/p.obj', 'mtllib p.mtl\n' .. SQUARE .. 'usemtl m\n' .. FACE)
      local said = start('import p.obj')
      assert.is_truthy(said:find('is not in the folder of the model, and is left out', 1, true), said)
    end
  end)

  it('stops a bomb at its memory and at its time, and leaves nothing behind', function()
    local before = names_in(inner)
    local faces = {}
    for i = 1, 200000 do faces[i] = 'f 1 2 3 4\nf 4 3 2 1\n' end
    support.write(inner .. '/bomb.obj', SQUARE .. table.concat(faces))
    local said = start('import bomb.obj --memory 64')
    assert.is_truthy(said:find('bomb.obj: assimp needs more memory than --memory 64\ncode 1\n', 1, true), said)
    os.execute(('mkfifo %s/pipe.mtl'):format(inner)) -- who reads it waits for ever
    support.write(inner .. '/wait.obj', 'mtllib pipe.mtl\n' .. SQUARE .. FACE)
    said = start('import wait.obj --seconds 1')
    assert.is_truthy(said:find('wait.obj: assimp was stopped: it took more than 1 s', 1, true), said)
    if support.has('pgrep') then
      said = start(('import wait.obj 2>&1 & sleep 0.7; kill -9 $(pgrep -f "[e]xport %s/wait.obj"); wait $!')
        :format(inner))
      assert.is_truthy(said:find('wait.obj: assimp ended by signal 9: someone killed it', 1, true), said)
    end
    for _, name in ipairs({ 'bomb.obj', 'pipe.mtl', 'wait.obj' }) do os.remove(inner .. '/' .. name) end
    assert.same(before, names_in(inner))
  end)

  it('quotes a name that a shell would not take as it is', function()
    support.write(inner .. "/a b;'$(c).obj", SQUARE .. FACE)
    local said = start([[import 'a b;'\''$(c).obj']])
    assert.is_truthy(said:find("\n./thatch play 'a b;'\\''$(c).glb'\n", 1, true), said)
  end)

  it('refuses with one line', function()
    support.write(inner .. '/bad.obj', 'no model at all')
    support.write(inner .. '/a.xyz', 'no model at all')
    local said = start('import bad.obj')
    assert.is_truthy(said:find('^thatch import: bad%.obj: assimp cannot convert it: [^\n]+\ncode 1\n$'), said)
    said = start('import a.xyz')
    assert.is_truthy(said:find('^thatch import: a%.xyz: assimp cannot convert it: [^\n]+\ncode 1\n$'), said)
    said = start('import none.obj')
    assert.is_truthy(said:find('none.obj: there is no such file', 1, true) and said:find('code 2\n', 1, true), said)
    said = start('import x.glb')
    assert.is_truthy(said:find('x.glb is glTF: ./thatch play x.glb', 1, true), said)
    said = start('import a.obj', 'PATH=/nowhere')
    assert.is_truthy(said:find('assimp is not installed: apt-get install assimp-utils', 1, true), said)
  end)
end)
