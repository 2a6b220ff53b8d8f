import { beforeEach, describe, expect, it } from 'vitest'
import { type FormStorage, forgetForm, forgetForms, keepForm, recallForm } from './kept-form.ts'

const day = 86_400_000
const now = 1_796_000_000_000
const place = { person: 'ada', object: 'rule:1', etag: '"1"' }

let stored: Map<string, string>
let storage: FormStorage
beforeEach(() => {
  stored = new Map()
  storage = {
    get length() {
      return stored.size
    },
    key: (at) => [...stored.keys()][at] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => void stored.set(key, text),
    removeItem: (key) => void stored.delete(key),
  }
})

describe('a form', () => {
  it('is recalled as it was typed, without its secrets', () => {
    keepForm(storage, place, { name: 'Beta', password: 'hush' }, { now, secrets: ['password'] })
    expect(recallForm(storage, place, now)).toEqual({ values: { name: 'Beta' }, isOvertaken: false })
    expect([...stored.values()].join()).not.toContain('hush')
  })

  it('says if its object has changed since', () => {
    keepForm(storage, place, { name: 'Beta' }, { now })
    expect(recallForm(storage, { ...place, etag: '"2"' }, now)).toEqual({ values: { name: 'Beta' }, isOvertaken: true })
  })

  it.each([
    ['another person', { ...place, person: 'bo' }],
    ['another object', { ...place, object: 'rule:2' }],
  ])('is not recalled by %s', (_, other) => {
    keepForm(storage, place, { name: 'Beta' }, { now })
    expect(recallForm(storage, other, now)).toBeUndefined()
  })

  it('is kept for 7 days', () => {
    keepForm(storage, place, { name: 'Beta' }, { now })
    expect(recallForm(storage, place, now + 7 * day)).toBeDefined()
    expect(recallForm(storage, place, now + 7 * day + 1)).toBeUndefined()
  })

  it('is forgotten after it was sent', () => {
    keepForm(storage, place, { name: 'Beta' }, { now })
    forgetForm(storage, place)
    expect(stored.size).toBe(0)
  })

  it('goes on when the storage is full, and leaves no older text behind', () => {
    keepForm(storage, place, { name: 'Old' }, { now })
    const full = { ...storage, setItem: () => fail() }
    keepForm(full, place, { name: 'New' }, { now })
    expect(recallForm(storage, place, now)).toBeUndefined()
  })

  it('is not kept if it is very long, and broken texts are ignored', () => {
    keepForm(storage, place, { name: 'x'.repeat(300_000) }, { now })
    expect(stored.size).toBe(0)
    storage.setItem('svc.form.ada.rule:1', '{')
    expect(recallForm(storage, place, now)).toBeUndefined()
  })
})

describe('all forms', () => {
  it('go at sign-out, and nothing else does', () => {
    storage.setItem('svc-density', 'compact')
    keepForm(storage, place, { name: 'Beta' }, { now })
    keepForm(storage, { ...place, object: 'rule:2' }, { name: 'Beta' }, { now })
    forgetForms(storage)
    expect([...stored.keys()]).toEqual(['svc-density'])
  })

  it('go after 7 days one by one', () => {
    keepForm(storage, place, { name: 'Old' }, { now })
    keepForm(storage, { ...place, object: 'rule:2' }, { name: 'New' }, { now: now + 2 * day })
    forgetForms(storage, now + 8 * day)
    expect([...stored.keys()]).toEqual(['svc.form.ada.rule:2'])
  })
})

function fail(): never {
  throw new Error('full')
}
