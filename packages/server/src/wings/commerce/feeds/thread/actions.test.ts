import { expect, test } from 'vitest'
import { readValues } from '../read-values.ts'
import { inPieces, source } from '../testing/reading.ts'
import { readVersions, type VersionBatch } from '../versions.ts'
import { readInThread as readUntil, readValuesInThread } from './actions.ts'

const of = { projectId: '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b55', source, contentType: 'text/csv' }
const row = (at: number) => `SKU-${at},Shirt ${at},https://shop.example/${at},${at % 700 === 0 ? 'free' : '19.99'}`
const csvOf = (rows: number) => ['id,title,link,price', ...Array.from({ length: rows }, (_, at) => row(at))].join('\n')

const readInThread = (reading: typeof of, bytes: AsyncIterable<Uint8Array>, signal = new AbortController().signal) =>
  readUntil(reading, bytes, signal)

async function allOf<Batch = VersionBatch>(batches: AsyncIterable<Batch>): Promise<Batch[]> {
  const all: Batch[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

test('a thread reads a file as the process itself does', async () => {
  const csv = csvOf(3_000)
  const here = await allOf(readVersions(of, inPieces(csv)))
  expect(here.map(({ rows }) => rows)).toEqual(Array(6).fill(500))
  // A piece that is a part of a larger buffer stays as it is.
  const bytes = Buffer.from(csv)
  expect(await allOf(readInThread(of, inPieces(bytes, 1_000)))).toEqual(here)
  expect(bytes.toString()).toBe(csv)
})

test('what is wrong with the file comes back with its line, and what is wrong with its bytes as it was thrown', async () => {
  const faulty = inPieces('<rss><channel>\n<item></channel></rss>')
  await expect(allOf(readInThread(of, faulty))).rejects.toMatchObject({ name: 'Error', line: 2 })
  const cut = new Error('the disk is broken')
  const failing = async function* () {
    yield* inPieces(csvOf(10))
    throw cut
  }
  await expect(allOf(readInThread(of, failing()))).rejects.toBe(cut)
})

test('whoever stops reading stops the file, too', async () => {
  let pieces = 0
  let isClosed = false
  const bytes = async function* () {
    try {
      for await (const piece of inPieces(csvOf(100_000))) {
        pieces += 1
        yield piece
      }
    } finally {
      isClosed = true
    }
  }
  for await (const { rows } of readInThread(of, bytes())) {
    expect(rows).toBe(500)
    break
  }
  expect([isClosed, pieces < 20]).toEqual([true, true])
})

test('a thread that says nothing any more ends with the signal', async () => {
  const ending = new AbortController()
  const silent = async function* () {
    yield* inPieces(csvOf(10))
    ending.abort(new Error('the time is over'))
    // As of a thread that is at one row for ever: no batch comes.
    await new Promise(() => {})
  }
  await expect(allOf(readInThread(of, silent(), ending.signal))).rejects.toThrow('the time is over')
})

test('a thread reads the file of a supplement, too', async () => {
  const values = { source, fields: ['cost'], contentType: 'text/csv' } as const
  const csv = `id,cost\n${Array.from({ length: 600 }, (_, at) => `SKU-${at},${at}`).join('\n')}`
  const here = await allOf(readValues(values, inPieces(csv)))
  expect(here.map(({ rows }) => rows)).toEqual([500, 100])
  expect(await allOf(readValuesInThread(values, inPieces(csv), new AbortController().signal))).toEqual(here)
})
