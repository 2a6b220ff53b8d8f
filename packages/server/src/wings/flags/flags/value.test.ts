import { expect, test } from 'vitest'
import { canonicalValue, maxJsonBytes } from './value.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const jsonOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))

test.each<[Parameters<typeof canonicalValue>[0], string, string]>([
  ['BOOLEAN', 'true', 'true'],
  ['BOOLEAN', 'false', 'false'],
  ['STRING', '', ''],
  ['STRING', ' 1.0 ', ' 1.0 '],
  ['NUMBER', '0.25', '0.25'],
  ['NUMBER', ' 1.50\n', '1.5'],
  ['NUMBER', '-0', '0'],
  ['NUMBER', '1E21', '1e+21'],
  ['NUMBER', '100000000000000000000', '100000000000000000000'],
  ['NUMBER', '1e-7', '1e-7'],
  // Digits that a double is written with, and fractions that are longer than it.
  ['NUMBER', '12345678901234567000', '12345678901234567000'],
  ['NUMBER', '0.12345678901234567890', '0.12345678901234568'],
  ['NUMBER', '1e-400', '0'],
  ['JSON', 'null', 'null'],
  ['JSON', ' "text" ', '"text"'],
  ['JSON', '{ "b": 1.0, "a": [ true, null ] }', '{"b":1,"a":[true,null]}'],
  ['JSON', '{"a":{"b":1},"b":[{"a":":"},{"a":2}]}', '{"a":{"b":1},"b":[{"a":":"},{"a":2}]}'],
  ['JSON', '"\\u00e9\\u0000\\ud83d\\ude00"', '"é\\u0000😀"'],
  ['JSON', nested(64), nested(64)],
  ['JSON', jsonOf(maxJsonBytes), jsonOf(maxJsonBytes)],
  ['JSON', `[${' '.repeat(9000)}]`, '[]'],
])('a %s value %j is stored as %j', (type, value, kept) => {
  expect(canonicalValue(type, value)).toEqual({ value: kept })
  expect(canonicalValue(type, kept)).toEqual({ value: kept })
})

const boolean = 'must be the string "true" or "false".'
const number = 'must be a string that contains a finite number, such as "0.25".'
const json = 'must be a string that contains JSON, such as "{\\"color\\":\\"blue\\"}".'
const bytes = 'must contain JSON of at most 8192 bytes, not counting whitespace between its parts.'
const finite = 'must contain only finite numbers.'
const longer = '9007199254740993 would become 9007199254740992, because numbers are doubles. Use text for longer ones.'
const twice = 'must not have the same name twice in an object.'
const proto = 'must not contain the name __proto__, which some programs treat specially.'
const surrogate = 'must not contain an unpaired surrogate, such as \\ud800 alone.'
const levels = 'must contain JSON with at most 64 levels of nesting.'

test.each<[Parameters<typeof canonicalValue>[0], string, string]>([
  ['BOOLEAN', 'True', boolean],
  ['BOOLEAN', ' true', boolean],
  ['BOOLEAN', '1', boolean],
  ['NUMBER', '', number],
  ['NUMBER', 'abc', number],
  ['NUMBER', '1,5', number],
  ['NUMBER', '+1', number],
  ['NUMBER', '0x10', number],
  ['NUMBER', 'NaN', number],
  ['NUMBER', 'Infinity', number],
  ['NUMBER', '1e999', number],
  ['NUMBER', '"1"', number],
  ['NUMBER', 'null', number],
  ['NUMBER', '9007199254740993', `must be a number that fits: ${longer}`],
  ['JSON', '9007199254740993', `must contain only numbers that fit: ${longer}`],
  ['JSON', '{"a":[{"id":9007199254740993}]}', `must contain only numbers that fit: ${longer}`],
  ['JSON', '{"a":1,"a":1}', twice],
  ['JSON', '[{"b":{"a":1,"\\u0061":2}}]', twice],
  ['JSON', '{"__proto__":1}', proto],
  ['JSON', '[{"a":{"\\u005f_proto__":{}}}]', proto],
  ['JSON', '"\\ud800"', surrogate],
  ['JSON', '{"\\udc00":1}', surrogate],
  ['JSON', '', json],
  ['JSON', '{', json],
  ['JSON', "{'a':1}", json],
  ['JSON', '[1,]', json],
  ['JSON', 'NaN', json],
  ['JSON', '{"a":1,"a":2}', twice],
  ['JSON', '[{"b":{"a\\u0061":1,"aa":{}}}]', twice],
  ['JSON', '{"a":{"__proto__":1}}', proto],
  ['JSON', '["\\ud800"]', surrogate],
  ['JSON', '[1e999]', finite],
  ['JSON', '{"a":{"b":-1e999}}', finite],
  ['JSON', nested(65), levels],
  ['JSON', nested(4000), levels],
  ['JSON', jsonOf(maxJsonBytes + 1), bytes],
  // Counted in bytes, not in characters.
  ['JSON', JSON.stringify('é'.repeat(4096)), bytes],
])('a %s value %j is refused: %s', (type, value, rule) => expect(canonicalValue(type, value)).toEqual({ rule }))
