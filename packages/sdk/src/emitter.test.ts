import { expect, it } from 'vitest'
import { createEmitter } from './emitter.ts'

const observed = () => {
  const faults: unknown[] = []
  return { faults, events: createEmitter<{ a: number; b: string }>((fault) => faults.push(fault)) }
}

it('calls the listeners of an event in order, until they are removed', () => {
  const { events } = observed()
  const heard: unknown[] = []
  const leave = events.on('a', (number) => heard.push(['first', number]))
  events.on('a', (number) => heard.push(['second', number]))
  events.on('b', (text) => heard.push(text))
  events.emit('a', 1)
  leave()
  leave()
  events.emit('a', 2)
  expect(heard).toEqual([
    ['first', 1],
    ['second', 1],
    ['second', 2],
  ])
})

it('counts a listener that was added twice as two', () => {
  const { events } = observed()
  let calls = 0
  const listener = () => ++calls
  const leave = events.on('a', listener)
  events.on('a', listener)
  leave()
  events.emit('a', 1)
  expect(calls).toBe(1)
})

it('reports a listener that throws, rejects or is not a function, and calls the others', async () => {
  const { events, faults } = observed()
  const heard: number[] = []
  events.on('a', () => {
    throw 'thrown'
  })
  events.on('a', () => Promise.reject('rejected'))
  events.on('a', 7 as never)
  events.on('a', (number) => heard.push(number))
  events.emit('a', 1)
  expect(heard).toEqual([1])
  await new Promise(setImmediate)
  expect(faults).toEqual(expect.arrayContaining(['thrown', 'rejected', expect.any(TypeError)]))
})

it('calls no listener after clear', () => {
  const { events } = observed()
  let calls = 0
  events.on('a', () => ++calls)
  events.clear()
  events.emit('a', 1)
  expect(calls).toBe(0)
})
