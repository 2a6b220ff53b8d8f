import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const { fault } = faultsOf('e2e/lab/disk-server.ts')
const whole = { unready: 1, halves: 0, lost: 0, twice: 0 }

fault(
  'D2 server tables',
  'disk of a PostgreSQL server full: events are refused as a whole, attention says so, and all goes on by itself',
  ({ unavailable, told, isDown, ...numbers }) => {
    expect(unavailable).toBeGreaterThan(0)
    expect({ told, isDown }).toEqual({ told: 1, isDown: 0 })
    expect(numbers).toMatchObject(whole)
  },
)

fault(
  'D2 server log',
  'disk of a PostgreSQL server full so that it ends: no acknowledged event is lost, and once it runs again, all goes on',
  ({ unavailable, ...numbers }) => {
    expect(unavailable).toBeGreaterThan(0)
    expect(numbers).toMatchObject(whole)
  },
)
