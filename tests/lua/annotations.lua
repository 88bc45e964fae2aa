-- The declarations of library/*.lua for editors: functions, arguments and types.
local graze, support = require "graze", require "support"
local text = support.read "bindings/lua/library/graze.lua" .. support.read "bindings/lua/library/world.lua"
local annotations = {text = text}

-- ---- Types ----

-- The words of a type at the beginning of a text: "number", '"auto"', "{}" (lists, too), "fun", "graze.shape".
local function words_of(type_text)
  local words, at = {}, 1
  repeat
    local word = type_text:match("^fun%b()", at) or type_text:match("^%(fun%b() *:[^()]*%)", at) or
                 type_text:match("^%b{}", at) or type_text:match('^"[^"]*"', at) or type_text:match("^[%w_.]+", at)
    at = at + #word
    if word:find "^fun" then
      local result = type_text:match("^: *[%w_.?]+", at) or ""
      at, word = at + #result, "fun"
      while type_text:find("^, *[%w_.?]+", at) do at = select(2, type_text:find("^, *[%w_.?]+", at)) + 1 end
    elseif word:find "^%(fun" then
      word = "fun"
    end
    while type_text:sub(at, at + 1) == "[]" do at, word = at + 2, "{}" end
    if type_text:sub(at, at) == "?" then
      at = at + 1
      words[#words + 1] = "nil"
    end
    words[#words + 1] = word:find "^{" and "{}" or word
    local bar = type_text:match("^ *| *", at)
    at = at + #(bar or "")
  until not bar
  return words
end

local aliases = {table = {"{}"}}
for _, name in ipairs {"vec", "points", "motion", "option_table", "outline_options", "body_def", "snapshot",
                       "world_options", "hull_report", "outline_report", "decomposition", "mesh_options",
                       "validate_options", "mesh_report"} do
  aliases["graze." .. name] = {"{}"}
end
for name, list in text:gmatch "\n%-%-%-@alias (graze%.%w+) ([^\n]+)" do
  aliases[name] = aliases[name] or words_of(list)
end

-- Word -> true, of all that a type allows.
local function allowed(type_text)
  local set = {}
  local function allow(words)
    for _, word in ipairs(words) do
      if aliases[word] then allow(aliases[word]) else set[word] = true end
    end
  end
  allow(words_of(type_text))
  return set
end

function annotations.fits(value, set)
  local kind = type(value)
  if set.any or set[kind] and kind ~= "userdata" then return true end
  if kind == "number" then return set[tostring(value)] or set.integer and value % 1 == 0 end
  if kind == "string" then return set['"' .. value .. '"'] end
  if kind == "table" then return set["{}"] end
  if kind == "function" then return set.fun end
  return kind == "userdata" and set[select(2, pcall(graze.circle, value)):match "%(a (graze%.[%w_]+)%)"] or false
end

-- ---- Functions: {class, name, method, parameters, results, open, count, usage} ----

-- How messages show the parameters: "a, b [, options [, answer]]".
local function usage_of(names, parameters, before)
  local usage, brackets = "", 0
  for i, name in ipairs(names) do
    local parameter = parameters[i - before]
    if parameter and parameter.optional then usage, brackets = usage .. (i > 1 and " [" or "["), brackets + 1 end
    usage = usage .. (i > 1 and ", " or "") .. name
  end
  return usage .. ("]"):rep(brackets)
end

local functions, classes = {}, {graze = {}, placed = {}}
do
  local parameters, results = {}, {}
  for line in text:gmatch "([^\n]*)\n" do
    local name, optional, rest = line:match "^%-%-%-@param ([%w_.]+)(%??) (.*)$"
    local result = line:match "^%-%-%-@return (.*)$"
    local class, separator, member, list = line:match "^function ([%w_]+)([.:])([%w_]+)%((.-)%) end"
    if name then
      parameters[#parameters + 1] = {name = name, optional = optional ~= "", set = allowed(rest), open = name == "..."}
    elseif result then
      results[#results + 1] = {set = allowed(result), open = result:find("...", 1, true) ~= nil}
    elseif class then
      local names = {separator == ":" and class or nil}
      for word in list:gmatch "[%w_.]+" do names[#names + 1] = word end
      local f = {class = class, name = member, method = separator == ":", parameters = parameters, results = results,
                 open = names[#names] == "...", count = #names,
                 usage = usage_of(names, parameters, separator == ":" and 1 or 0)}
      functions[#functions + 1] = f
      for _, owner in ipairs(class == "queries" and {"graze", "placed"} or {class}) do
        classes[owner] = classes[owner] or {}
        classes[owner][member] = f
      end
    end
    if not line:find "^%-%-%-" then parameters, results = {}, {} end
  end
end

annotations.functions, annotations.classes = functions, classes

-- A value that a parameter of a function allows: from `pool` by its name or by its class, or any.
function annotations.sample(parameter, pool, name)
  local set, named = parameter.set, pool[name .. "." .. parameter.name] or pool[parameter.name]
  if parameter.name == "snapshot" then return pool["graze.world"]:save() end
  if named ~= nil then return named end
  for word in pairs(set) do
    if pool[word] then return pool[word] end
  end
  if set.number or set.integer then return 1 end
  if set.boolean then return true end
  if set.string then return "word" end
  if set.fun then return function(dx, dy) return dx, dy end end
  if set["{}"] then return {} end
  for word in pairs(set) do
    local literal = word:match '^"(.*)"$'
    if literal then return literal end
  end
end

-- A pool around two placed shapes of one dimension, of a world with two items.
function annotations.pool(a, b, world)
  return {["graze.shape"] = a:shape(), ["graze.placed"] = a, ["graze.world"] = world, b = b, list = {a, b}, parts = {a},
          item = "item", other = "other", points = {{0, 0}, {1, 0}, {0, 1}}, vertices = {0, 0, 1, 0, 0, 1}, dim = 2,
          edges = {1, 2, 2, 3, 3, 1}, faces = {1, 2, 2, 3, 3, 1}, triangles = {1, 2, 3},
          ["mesh.vertices"] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}
end

return annotations
