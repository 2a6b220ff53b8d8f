import { expect, it } from 'vitest'
import { withOwnIds } from './sample.ts'

const id = '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00'
const at = (number: number) => `${id.slice(0, -1)}${number}`

it('each object of an example has an id of its own, wherever it is named', () => {
  const body = { id, project: { id }, flags: [{ id, projectId: id, note: 'id' }], triggeredBy: { id, type: 'user' } }
  expect(withOwnIds(body)).toEqual({
    id: at(0),
    project: { id: at(1) },
    flags: [{ id: at(2), projectId: at(1), note: 'id' }],
    triggeredBy: { id: at(3), type: 'user' },
  })
})
