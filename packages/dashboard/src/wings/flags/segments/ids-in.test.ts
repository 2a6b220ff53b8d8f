import { describe, expect, it } from 'vitest'
import { idsIn, withoutFaults } from './ids-in.ts'

const quote = 'A quotation mark is not closed on this line, or is followed by other text.'

describe('ids in a pasted text or a file', () => {
  const cases: [string, string, string[]][] = [
    ['one id in each line', 'u-1\nu-2\nu-3', ['u-1', 'u-2', 'u-3']],
    ['any line ends, spaces and empty lines', ' u-1 \r\n\r\nu-2\ru-3\n', ['u-1', 'u-2', 'u-3']],
    ['a byte order mark and a heading', '\ufeffid\nu-1', ['u-1']],
    ['a heading with semicolons', 'ID;plan\nu-1;pro\nu,2;free', ['u-1', 'u,2']],
    ['the first of several columns', 'u-1,pro\nu-2,free', ['u-1', 'u-2']],
    ['quoted ids', '"u,1",pro\n"u ""2"""', ['u,1', 'u "2"']],
    ['a list in one line', 'u-1, u-2;u-3', ['u-1', 'u-2', 'u-3']],
    ['a single id', 'u-1', ['u-1']],
    ['nothing', ' \n ', []],
    ['only a heading', 'id\n', []],
    ['a later line that reads id', 'u-1\nid', ['u-1', 'id']],
  ]
  it.each(cases)('reads %s', (_what, text, ids) => {
    expect(idsIn(text)).toMatchObject({ ids, faults: [], repeated: 0 })
  })

  it('counts ids that are repeated', () => {
    expect(idsIn('u-1\nu-2\nu-1\nu-1')).toMatchObject({ ids: ['u-1', 'u-2'], repeated: 2 })
  })

  it('says whether other columns are left out', () => {
    expect(idsIn('id,plan\nu-1,pro').hasMoreColumns).toBe(true)
    expect(idsIn('u-1\nu-2').hasMoreColumns).toBe(false)
  })

  const faulty: [string, string, number, string][] = [
    ['a quotation mark that is not closed', 'id\nu-1\n"u-2', 3, quote],
    ['text after a quotation mark', '"u-1" x\nu-2', 1, quote],
    ['an empty first column', 'u-1,pro\n,free', 2, 'The id is empty.'],
    ['a long id', `u-1\n${'x'.repeat(513)}`, 2, 'The id has 513 characters. An id can have up to 512.'],
    ['a NUL', 'u-1\nu\0', 2, 'The id contains a NUL character.'],
  ]
  it.each(faulty)('names the line with %s', (_what, text, line, message) => {
    const { faults } = idsIn(text)
    expect(faults).toEqual([{ line, text: text.split('\n')[line - 1], message }])
    expect(idsIn(withoutFaults(text, faults)).faults).toEqual([])
  })
})
