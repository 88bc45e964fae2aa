-- The first program: the distance between a box and a ball, and its verification. Prints:
--   gap 1.5 in [1.4999999999999578, 1.5000000000000422], separated
local graze = require "graze"

local a = graze.box(0.5, 0.5, 0.5):at(0, 0, 0)
local b = graze.sphere(1):at(3, 0, 0)

local answer = graze.answer() -- every query refills it; omit it if the number suffices
local gap = graze.distance(a, b, nil, answer)
print(("gap %.17g in [%.17g, %.17g], %s"):format(gap, answer.lower, answer.upper, answer.relation))
assert(graze.verify(a, b, answer))
