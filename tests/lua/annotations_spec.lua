-- library/graze.lua tells editors what the module has: neither more, nor less, nor other arguments.
local graze = require "graze"
local read = require "read"

local text = read "bindings/lua/library/graze.lua"

-- Class -> name -> how many parameters, self included; "…" where they are open.
local declared = {graze = {}}
for class, separator, name, parameters in text:gmatch "\nfunction (%w+)([.:])([%w_]+)%((.-)%) end" do
  declared[class] = declared[class] or {}
  local count = separator == ":" and 1 or 0
  for _ in parameters:gmatch "[^,]+" do count = count + 1 end
  declared[class][name] = parameters:find("...", 1, true) and "…" or count
end

-- The module and placed shapes have the questions.
local questions = declared.questions
declared.questions = nil
for name, parameters in pairs(questions) do
  declared.graze[name], declared.placed[name] = parameters, parameters
end

local objects = {
  shape = graze.circle(1), placed = graze.circle(1):at(0, 0), answer = graze.answer(), impact = graze.impact(),
  world = graze.world(),
}
graze.distance(objects.placed, graze.circle(1):at(3, 0), nil, objects.answer)
graze.cast(objects.placed, graze.circle(1):at(3, 0), {velocity_a = {3, 0}}, nil, objects.impact)
objects.world:add("item", graze.circle(1), 0, 0)

-- The methods that an object has, as far as names that are known anywhere go: metatables are hidden.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then return index end
  local found = {}
  for _, names in pairs(declared) do
    for name in pairs(names) do
      if type(object[name]) == "function" then found[name] = object[name] end
    end
  end
  return found
end

-- How many arguments a function takes at most, by its own word.
local function most_arguments(f, first)
  local arguments = {first}
  for i = 2, 30 do arguments[i] = false end
  local _, message = pcall(f, (unpack or table.unpack)(arguments, 1, 30))
  return tonumber(tostring(message):match "(%d+) arguments? expected")
end

describe("annotations", function()
  it("name every function of the module", function()
    for name, f in pairs(graze) do
      assert.is_truthy(declared.graze[name], "graze." .. name .. " is not declared")
      assert.are.equal("function", type(f))
    end
    for name in pairs(declared.graze) do assert.is_function(graze[name], "there is no graze." .. name) end
  end)

  for class, object in pairs(objects) do
    it("name every method of " .. class, function()
      local own, count = methods_of(object), 0
      for name in pairs(own) do
        assert.is_truthy(declared[class][name], class .. ":" .. name .. " is not declared")
        count = count + 1
      end
      for name in pairs(declared[class]) do assert.is_function(own[name], ("there is no %s:%s"):format(class, name)) end
      assert.is_true(count >= 4)
    end)
  end

  it("name as many parameters as there are", function()
    local checked = 0
    for class, names in pairs(declared) do
      for name, parameters in pairs(names) do
        local f = class == "graze" and graze[name] or objects[class][name]
        local first = objects[class]
        if class == "graze" or class == "placed" then first = graze.sphere(1):at(0, 0, 0) end -- 3D: z is declared
        local most = most_arguments(f, first)
        if most and parameters ~= "…" then
          checked = checked + 1
          assert.are.equal(most, parameters, class .. "." .. name)
        end
      end
    end
    assert.is_true(checked > 60, checked)
  end)

  it("name fields that there are", function()
    for class, object in pairs {answer = objects.answer, impact = objects.impact} do
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
