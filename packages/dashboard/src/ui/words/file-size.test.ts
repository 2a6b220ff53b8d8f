import { expect, it } from 'vitest'
import { fileFault, sizeText } from './file-size.ts'

it.each([
  [340, '340 B'],
  [1500, '1.5 KB'],
  [12_400, '12 KB'],
  [1_500_000, '1.5 MB'],
  [20_000_000, '20 MB'],
  [1_000_000_000, '1 GB'],
  [0, '0 B'],
])('%d bytes are %s', (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected)
})

it.each([
  [{ name: 'a.CSV', type: '', size: 10 }, undefined],
  [{ name: 'a', type: 'text/csv', size: 10 }, undefined],
  [{ name: 'a.png', type: 'image/png', size: 10 }, 'a.png is not one of .csv, text/csv.'],
  [{ name: 'a.csv', type: '', size: 0 }, 'a.csv is empty.'],
  [{ name: 'a.csv', type: '', size: 2001 }, 'a.csv has 2 KB, the limit is 2 KB. Split it.'],
])('%j', (file, expected) => {
  expect(fileFault(file, '.csv, text/csv', 2000)).toBe(expected)
})
