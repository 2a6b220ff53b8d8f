import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addToOrganization, newPerson } from '../../../../testing/people.ts'
import { startTestService } from '../../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

const entriesOf = async (userId: string) => {
  const { rows } = await sql<{ organization: string; action: string; before: unknown; after: unknown }>`
    select org.name as organization, action, before, after from audit_entries
    join organizations org on org.id = org_id where object_id = ${userId} order by org.short_id, seq`.execute(
    service.db,
  )
  return rows
}

test('200 a person changes their name, and all their organizations record it', async () => {
  const person = await newPerson(service)
  await addToOrganization(service, person.id, { organization: 'Other', role: 'VIEWER' })
  const rename = (name: string) => person.inSession('PATCH', '/api/dashboard/me', { name })
  expect((await rename('Pat Renamed')).body.data).toEqual({ id: person.id, name: 'Pat Renamed', email: person.email })
  expect((await person.inSession('GET', '/api/dashboard/session')).body.data.session.user.name).toBe('Pat Renamed')
  const change = { action: 'user.update', before: { name: person.name }, after: { name: 'Pat Renamed' } }
  const expected = [
    { organization: 'Acme', ...change },
    { organization: 'Other', ...change },
  ]
  expect(await entriesOf(person.id)).toEqual(expected)
  // The same name again changes nothing.
  expect((await rename('Pat Renamed')).status).toBe(200)
  expect(await entriesOf(person.id)).toEqual(expected)
})

test('200 two people of the same organizations can change their names at once without a deadlock', async () => {
  const people = [await newPerson(service), await newPerson(service)]
  for (const { id } of people) await addToOrganization(service, id, { organization: 'Other', role: 'VIEWER' })
  const names = Array.from({ length: 10 }, (_none, number) => `Name ${number}`)
  const answers = await Promise.all(
    names.flatMap((name) => people.map((person) => person.inSession('PATCH', '/api/dashboard/me', { name }))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test.each([
  ['blank', { name: ' ' }],
  ['left out', {}],
  ['too long', { name: 'x'.repeat(201) }],
  ['sent with an address', { name: 'Pat', email: 'other@svc.test' }],
])('400 a name that is %s', async (_what, body) => {
  const person = await newPerson(service)
  expect((await person.inSession('PATCH', '/api/dashboard/me', body)).status).toBe(400)
})
