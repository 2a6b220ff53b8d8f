import { expect, test } from 'vitest'
import { codeFault } from './code.ts'

test.each([
  'svc.track("x")',
  'if (svc.visitorId) return; document.title = `a`',
  'const a = async () => { await import("/x.js") }; a?.()',
  'class A { #b = 1; static { this.c = 2 } }',
  'svc.onLeave(() => {}) // done',
  'a = 1\n--> b',
])('code can be %j', (code) => expect(codeFault(code)).toBeUndefined())

test.each([
  [' \n', 'must not be blank'],
  ['}; alert(1); {', 'unexpected token (line 1, column 1)'],
  ['}, function () {', 'unexpected token (line 1, column 1)'],
  ['})(); (function () {', 'unexpected token (line 1, column 1)'],
  ['\n\n  foo(', 'unexpected token (line 3, column 7)'],
  ['a = `', 'unterminated template'],
  ['/* a', 'unterminated comment'],
  ['await 1', 'unexpected token (line 1, column 7)'],
  ['import "x"', 'may appear only with'],
  ['let svc = 1', "identifier 'svc' has already been declared (line 1, column 5)"],
  ['a = 1\nlet svc', "identifier 'svc' has already been declared (line 2, column 5)"],
  ['a ||= /(?<b>.)(?<b>.)/', 'uplicate capture group name'],
  ['using a = b', 'unexpected token'],
  ['#!a', 'unexpected character'],
  ['a </ScRiPt b', 'must not contain </ScRiPt, because the script can be part of a page (line 1, column 3)'],
  ['a\n<!-- b', 'must not contain <!--, because the script can be part of a page (line 2, column 1)'],
  ['a\u0000', 'NUL'],
  ['"\ud800"', 'half of a character'],
  ['('.repeat(49_000), 'must not be nested so deeply'],
  [`//${'a'.repeat(50_000)}`, 'at most 50000 characters'],
])('the code %j is refused: %s', (code, rule) => expect(codeFault(code)).toContain(rule))

test('accepted code is the body of a function in this engine too', () => {
  const bodies = ['return 1', 'svc.a(); return svc', 'var svc', 'function svc() {}', '"use strict"; return this']
  for (const body of bodies) {
    expect(codeFault(body), body).toBeUndefined()
    expect(() => new Function('svc', body), body).not.toThrow()
  }
})
