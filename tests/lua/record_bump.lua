-- Writes the results of bump.lua into bump_moves.jsonl and bump_calls.jsonl; boxes, moves and calls stay. bump
-- may return either of two simultaneous contacts first. Run it in the project's folder, with the module and bump.lua
-- (3.1.7, by Enrique García Cota) in LUA_CPATH and LUA_PATH:
--     lua5.4 tests/lua/record_bump.lua
local bump, json, lines, support = require "bump", require "dkjson", require "lines", require "support"

local keys = {"why", "response", "boxes", "calls", "returns", "moves", "from", "goal", "to", "contacts", "item",
              "other", "type", "overlaps", "ti", "ti1", "ti2", "x", "y", "w", "h", "x1", "y1", "x2", "y2", "move",
              "normal", "touch", "slide", "bounce", "itemRect", "otherRect"}

-- Writes all digits of numbers; dkjson does not.
local function exact(value)
  if type(value) == "number" then
    return setmetatable({}, {__tojson = function() return ("%.17g"):format(value) end})
  elseif type(value) == "table" then
    local copy = {}
    for key, field in pairs(value) do copy[key] = key == "n" and field or exact(field) end
    return copy
  end
  return value
end

for _, name in ipairs {"moves", "calls"} do
  local path, text = ("tests/lua/bump_%s.jsonl"):format(name), {}
  for i, line in ipairs(lines.read(path)) do
    local case = line.value
    if case.calls then case.returns = support.bump_returns(bump, case) end
    for k, result in ipairs(case.moves and support.bump_moves(bump, case) or {}) do
      case.moves[k].to, case.moves[k].contacts = result.to, result.contacts
    end
    text[i] = json.encode(exact(case), {keyorder = keys}) .. "\n"
  end
  assert(io.open(path, "w")):write(table.concat(text)):close()
end
