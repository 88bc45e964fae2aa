-- In this folder: luarocks --lua-version 5.4 make (or 5.1 …). Needs CMake and a C compiler, nothing else.
rockspec_format = "3.0"
package = "graze"
version = "0.2.0-1"
source = {
  url = "graze-0.2.0.tar.gz", -- location of the release
  dir = "graze-0.2.0/bindings/lua",
}
description = {
  summary = "Collision detection, 2D and 3D: a number, a rigorous interval, a checkable certificate",
  detailed = [[
Intersection, distance, penetration and time of contact of convex shapes, concave polygons with holes and compounds;
separating axes, GJK, EPA, conservative casts; worlds with collision response as in bump.lua and slick.
Decisions are exact; every answer has an interval that certainly contains the true value, and can be verified.]],
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
    DATADIR = "$(PREFIX)", -- `luarocks show --rock-dir graze` prints it
  },
}
