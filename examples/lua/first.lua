-- The first program: how far is a box from a ball, and does the proof hold? Prints:
--   gap 1.5 in [1.4999999999999392, 1.5000000000000311], separated
local graze = require "graze"

local a = graze.box(0.5, 0.5, 0.5):at(0, 0, 0)
local b = graze.sphere(1):at(3, 0, 0)

local answer = graze.answer() -- filled again and again; leave it out where the number is enough
local gap = graze.distance(a, b, nil, answer)
print(("gap %.17g in [%.17g, %.17g], %s"):format(gap, answer.lower, answer.upper, answer.relation))
assert(graze.verify(a, b, answer))
