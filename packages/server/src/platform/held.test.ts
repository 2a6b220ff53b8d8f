import { Registry } from 'prom-client'
import { describe, expect, it, test } from 'vitest'
import { entryBytes, fingerprint, heldMap, type Purpose, roomOf, roomsWithin, shares } from './held.ts'
import { giveBackMemory } from './memory.ts'

const heapUsed = () => {
  giveBackMemory()
  return process.memoryUsage().heapUsed
}

test('a fingerprint has a fixed size, and lists of parts that differ have different ones', () => {
  const all = [['ab', 'c'], ['a', 'bc'], ['abc'], [], ['\ud800'], ['\ud801'], ['x'.repeat(65_536)]].map((parts) =>
    fingerprint(...parts),
  )
  expect(new Set(all).size).toBe(all.length)
  for (const one of all) expect(one).toHaveLength(16)
})

describe('a held map', () => {
  it('keeps the value of a subject, and counts its bytes once', () => {
    const room = roomOf(10 * entryBytes)
    const held = heldMap<number>(room)
    held.set(1, 'env', 'a')
    held.set(2, 'env', 'a')
    expect([held.get('env', 'a'), held.get('env', 'b'), room.bytes]).toEqual([2, undefined, entryBytes])
    held.delete('env', 'a')
    held.delete('env', 'a')
    expect([held.get('env', 'a'), room.bytes]).toEqual([undefined, 0])
  })

  it('lets the oldest go when the room is full; one that is set again is the newest', () => {
    const held = heldMap<number>(roomOf(3.5 * entryBytes))
    for (const name of ['a', 'b', 'c']) held.set(0, name)
    held.set(1, 'a')
    held.set(0, 'd')
    expect(['a', 'b', 'c', 'd'].map((name) => held.get(name))).toEqual([1, undefined, 0, 0])
  })

  it('removes the oldest as long as they are over', () => {
    const room = roomOf(1_000)
    const held = heldMap<number>(room)
    for (const value of [1, 2, 9, 1]) held.set(value, value, room.bytes)
    held.deleteOldest((value) => value < 5)
    expect(room.bytes).toBe(2 * entryBytes)
  })

  it('holds no more bytes than its room, for subjects of 64 KB too', () => {
    const bytes = 2 * 1024 * 1024
    const held = heldMap<{ used: number; until: number }>(roomOf(bytes))
    const before = heapUsed()
    for (let count = 0; count < 12_000; count += 1) held.set({ used: count, until: count + 0.5 }, `u-${count}`)
    for (let count = 0; count < 100; count += 1) held.set({ used: 1, until: 1.5 }, String(count).padStart(65_536, 'u'))
    expect(heapUsed() - before).toBeLessThan(bytes)
    expect(held.get(String(99).padStart(65_536, 'u'))).toBeDefined()
  })
})

test('the rooms of a node fit into the memory for visitors, and the metrics show them', async () => {
  const registry = new Registry()
  const openRoom = roomsWithin(128 * 1024 * 1024, registry)
  const purposes = Object.entries(shares) as [Purpose, { share: number; each: number }][]
  const opened = purposes.flatMap(([purpose, { each }]) => Array.from({ length: each }, () => openRoom(purpose)))
  expect(opened.reduce((sum, { maxBytes }) => sum + maxBytes, 0)).toBeLessThanOrEqual(128 * 1024 * 1024)
  for (const [purpose] of purposes) expect(() => openRoom(purpose)).toThrow('give it more in held.ts')
  heldMap<number>(opened.at(-1)!).set(1, 'x')
  const text = await registry.metrics()
  expect(text).toContain(`svc_visitor_memory_bytes{purpose="usage"} ${entryBytes}`)
  expect(text).toContain(`svc_visitor_memory_max_bytes{purpose="ofrepVisitors"} ${11 * 1024 * 1024}`)
})
