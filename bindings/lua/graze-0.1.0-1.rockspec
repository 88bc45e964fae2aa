-- In this folder: luarocks --lua-version 5.4 make (or 5.1 …). Needs CMake and a C compiler, nothing else.
rockspec_format = "3.0"
package = "graze"
version = "0.1.0-1"
source = {
  url = "graze-0.1.0.tar.gz", -- where you keep the release
  dir = "graze-0.1.0/bindings/lua",
}
description = {
  summary = "Collision detection, 2D and 3D: a number, a rigorous interval, a checkable certificate",
  detailed = [[
Do two shapes meet, how far apart, how deep, when on their way? Convex shapes, concave polygons with holes, compounds;
separating axes, GJK, EPA, casts and sweeps that miss nothing; worlds with move-and-slide as bump.lua and slick have it.
Answers are exact where it matters, carry an interval that surely holds the truth, and can be verified.]],
  license = "MIT",
  labels = {"collision", "geometry", "physics", "gamedev", "love"},
}
dependencies = {"lua >= 5.1, < 5.5"}
build = {
  type = "cmake",
  variables = {
    LUA_INCDIR = "$(LUA_INCDIR)",
    LUA_LIBDIR = "$(LUA_LIBDIR)",
    LUALIB = "$(LUALIB)",
    LIBDIR = "$(LIBDIR)",
    LUADIR = "$(LUADIR)",
    DATADIR = "$(PREFIX)", -- `luarocks show --rock-dir graze` tells where that is
  },
}
