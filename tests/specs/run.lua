--- Runs busted inside the host, for builds whose library plain LuaJIT cannot load (sanitizers):
---   build-asan/thatch run tests/specs/run.lua [busted's options] SPEC
require('busted.runner')({ standalone = false })
