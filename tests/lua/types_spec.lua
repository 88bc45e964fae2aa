-- library/*.lua declares exactly the names, arguments and types of the module. Calls accept values of the declared
-- types, reject others at their argument, and return results of the declared types.
local graze, annotations = require "graze", require "annotations"
local unpack = table.unpack or unpack -- luacheck: ignore
local text, functions, classes, fits = annotations.text, annotations.functions, annotations.classes, annotations.fits

-- ---- Names and numbers of arguments ----

local objects = {
  shape = graze.circle(1), placed = graze.circle(1):at(0, 0), answer = graze.answer(),
  cast_result = graze.cast_result(),
  world = graze.world(),
}
graze.distance(objects.placed, graze.circle(1):at(3, 0), nil, objects.answer)
graze.cast(objects.placed, graze.circle(1):at(3, 0), {velocity_a = {3, 0}}, nil, objects.cast_result)
objects.world:add("item", graze.circle(1), 0, 0)

-- The methods of an object: metatables are hidden, so all declared names are tried.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then return index end
  local found = {}
  for _, f in ipairs(functions) do
    local there, member = pcall(function() return object[f.name] end)
    if there and type(member) == "function" then found[f.name] = member end
  end
  return found
end

-- The message of a call with `count` arguments; all but the first are false.
local function message_of(call, first, count)
  local arguments = {first}
  for i = 2, count do arguments[i] = false end
  local good, message = pcall(call, unpack(arguments, 1, count))
  return good and "no error" or tostring(message)
end

-- Calls visit(call, f, class, first) for every function and method; `first` is a good first argument.
local function each(visit)
  for class, names in pairs(classes) do
    for name, f in pairs(names) do
      local first = (class == "graze" or class == "placed") and graze.sphere(1):at(0, 0, 0) or objects[class]
      visit(class == "graze" and graze[name] or objects[class][name], f, class, first)
    end
  end
end

local function has(message, piece)
  assert.is_truthy(message:find(piece, 1, true), ("%q lacks %q"):format(message, piece))
end

describe("annotations", function()
  it("name every function and method", function()
    objects.graze = graze
    for class, object in pairs(objects) do
      local own, count = class == "graze" and graze or methods_of(object), 0
      for name in pairs(own) do
        assert.is_truthy(classes[class][name], class .. ":" .. name .. " is not declared")
        count = count + 1
      end
      for name in pairs(classes[class]) do assert.is_function(own[name], ("there is no %s:%s"):format(class, name)) end
      assert.is_true(count >= 4)
    end
  end)

  it("name the parameters as messages do", function()
    local closed, open = 0, 0
    each(function(call, f, class, first)
      local message = message_of(call, first, 30)
      if f.open then
        open = open + 1
        assert.is_truthy(message:find(("bad argument #%%d+ to '%s' %%("):format(f.name)), message)
      else
        closed = closed + 1
        local colon = f.usage == "" and "" or ": "
        has(message, ("bad argument #%d to '%s' (%s%swrong number of arguments (30), must be "):format(
              f.count + 1, f.name, f.usage, colon))
        assert.are.equal(f.count, tonumber(message:match "(%d+)%)$"), class .. "." .. f.name)
      end
    end)
    assert.is_true(closed > 110 and open > 12, closed .. " " .. open)
  end)

  it("name the parameters that are missing as messages do", function()
    local missing = 0
    each(function(call, f, class, first)
      local given = class == "graze" and 0 or 1
      local needed = select(2, f.usage:match("^[^[]*"):gsub("[%w_]+", ""))
      if needed <= given and (not f.open or f.name == "at") then return end
      missing = missing + 1
      local message = message_of(call, first, given)
      has(message, ("bad argument #%d to '%s' ("):format(given + 1, f.name))
      assert.is_truthy(f.open or message:find("(" .. f.usage .. ": ", 1, true) or
                       message:find(("(%s: invalid value (nothing)"):format(f.usage:match "^[%w_]+"), 1, true), message)
      assert.is_truthy(message:find "%([%w]+%), must be ", message)
    end)
    assert.is_true(missing > 90, missing .. " functions")
  end)

  it("are well formed: parentheses around function types in unions, and # before comments on results", function()
    for line in text:gmatch "%-%-%-@[^\n]*" do
      local bare = line:gsub("%b()", function(part) return part:find "^%(fun" and "" or part end)
      assert.is_nil(bare:find "fun%b().* | ", line)
    end
    for result in text:gmatch "%-%-%-@return ([^\n]*)" do
      local type_text = result:gsub("#.*", ""):gsub("%b{}", "{}")
      assert.is_nil(type_text:find "%.%.%. *%w" or type_text:find ",", result)
    end
  end)

  it("state the default of every option, and name existing fields", function()
    for _, class in ipairs {"option_table", "outline_options", "world_options", "motion", "body_def"} do
      local block, count = text:match("%-%-%-@class graze%." .. class .. "\n(.-)\n\n"), 0
      for line in block:gmatch "@field [^\n]*" do
        count = count + 1
        assert.is_truthy(line:lower():find "default" or line:find "likewise", line)
      end
      assert.is_true(count >= 3)
    end
    for class, object in pairs {answer = objects.answer, cast_result = objects.cast_result} do
      local block, count = text:match("%-%-%-@class graze%." .. class .. "\n(.-)local"), 0
      for name, optional in block:gmatch "@field ([%w_]+) [^\n]-(%??)[ \n]" do
        count = count + 1
        if optional == "" and not block:match("@field " .. name .. " %w+%?") then
          assert.is_not_nil(object[name], class .. "." .. name)
        end
      end
      assert.is_true(count >= 12)
    end
  end)
end)

-- ---- Types of arguments and results ----

-- New arguments for a call, because calls free and fill objects. Those of worlds are 2D.
local function pool_of(dim)
  local world = graze.world()
  local shape = dim == 2 and graze.polygon {0, 0, 1, 0, 0, 1} or graze.box(1, 1, 1)
  local a = dim == 2 and shape:at(0, 0) or shape:at(0, 0, 0)
  local b = dim == 2 and shape:at(0.2, 0) or shape:at(1.5, 0, 0)
  world:add("item", graze.circle(1), 0, 0)
  world:add("other", graze.circle(1), 1.5, 0)
  local pool = annotations.pool(a, b, world)
  pool["graze.answer"], pool["graze.cast_result"] = graze.answer(), graze.cast_result()
  graze.distance(a, b, nil, pool["graze.answer"])
  graze.cast(a, b, {}, nil, pool["graze.cast_result"])
  return pool
end

-- The function, its arguments, their count, and the number of arguments before the declared ones.
local function prepare(f)
  local r = pool_of((f.class == "world" or f.method and f.class == "placed") and 2 or 3)
  local object = f.method and r["graze." .. f.class] or graze
  local arguments, before = {}, 0
  if f.method then arguments[1], before = object, 1 end
  for i, parameter in ipairs(f.parameters) do arguments[before + i] = annotations.sample(parameter, r, f.name) end
  return object[f.name], arguments, before + #f.parameters, before
end

local function wrong_values()
  return {"nonsense", 0.3, true, {}, print, io.stdout, coroutine.create(function() end), graze.world(), graze.answer(),
          graze.circle(1), graze.circle(1):at(0, 0), graze.cast_result()}
end

-- The functions of a fixed number of arguments.
local function closed(visit)
  for _, f in ipairs(functions) do
    if not (#f.parameters > 0 and f.parameters[#f.parameters].open) then visit(f, f.class .. "." .. f.name) end
  end
end

describe("types", function()
  it("that are allowed are accepted, and results are as declared", function()
    local calls, returned = 0, 0
    closed(function(f, name)
      local call, arguments, count = prepare(f)
      local got = {pcall(call, unpack(arguments, 1, count))}
      assert.is_true(got[1], name .. ": " .. tostring(got[2]))
      calls = calls + 1
      for i, result in ipairs(f.results) do
        if result.open then break end
        returned = returned + 1
        assert.is_truthy(fits(got[i + 1], result.set), ("%s: result %d is %s"):format(name, i, tostring(got[i + 1])))
      end
      if #f.results == 0 then assert.is_nil(got[2], name) end
    end)
    assert.is_true(calls > 60 and returned > 80, ("%d calls, %d results"):format(calls, returned))
  end)

  it("that are forbidden are rejected at their argument", function()
    local rejected = 0
    closed(function(f, name)
      for i, parameter in ipairs(f.parameters) do
        for _, value in ipairs(wrong_values()) do
          if not fits(value, parameter.set) then
            local call, arguments, count, before = prepare(f)
            arguments[before + i] = value
            local good, message = pcall(call, unpack(arguments, 1, count))
            assert.is_false(good, ("%s with %s as %s"):format(name, tostring(value), parameter.name))
            has(message, ("bad argument #%d to"):format(before + i))
            rejected = rejected + 1
          end
        end
      end
    end)
    assert.is_true(rejected > 900, rejected)
  end)
end)
