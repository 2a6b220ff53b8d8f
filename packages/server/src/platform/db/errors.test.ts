import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'
import { canSucceedLater, constraintOf, isUnavailable } from './index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
  await sql`
    create table things (
      id int primary key,
      name text constraint things_name_key unique,
      size int not null constraint things_size_check check (size > 0),
      parent int constraint things_parent_fkey references things
    );
    insert into things values (1, 'one', 1, null)`.execute(database.db)
})

afterAll(() => database.close())

const failure = (statement: string): Promise<unknown> =>
  sql
    .raw(statement)
    .execute(database.db)
    .then(
      () => undefined,
      (error) => error,
    )

describe('errors of the database', () => {
  it.each([
    ["insert into things values (1, 'two', 1, null)", 'things_pkey'],
    ["insert into things values (2, 'one', 1, null)", 'things_name_key'],
    ["insert into things values (2, 'two', 0, null)", 'things_size_check'],
    ["insert into things values (2, 'two', 1, 9)", 'things_parent_fkey'],
    ["insert into things values (2, 'two', null, null)", undefined],
    ['insert into nothing values (1)', undefined],
    ['select 1/0', undefined],
  ])('%s violates %s', async (statement, constraint) => {
    const error = await failure(statement)
    expect(error).toBeInstanceOf(Error)
    expect(constraintOf(error)).toBe(constraint)
    expect(isUnavailable(error)).toBe(false)
  })

  it('carry code, table and detail', async () => {
    expect(await failure("insert into things values (2, 'one', 1, null)")).toMatchObject({
      code: '23505',
      table: 'things',
      detail: 'Key (name)=(one) already exists.',
      message: 'duplicate key value violates unique constraint "things_name_key"',
    })
  })

  it('are recognized when the database is closed', async () => {
    const closed = await openTestDatabase('blank')
    await closed.close()
    expect(isUnavailable(await closed.ping().catch((error) => error))).toBe(true)
  })
})

const coded = (code: string) => Object.assign(new Error('x'), { code })

describe('canSucceedLater', () => {
  it.each(['40001', '40P01', '40003', '55P03', '23503', '53100', '57014'].map(coded))('%s', (error) =>
    expect(canSucceedLater(error)).toBe(true),
  )
  it.each([...['23505', '23514', '22P02', '42P01'].map(coded), new Error('x'), undefined])('not %s', (error) =>
    expect(canSucceedLater(error)).toBe(false),
  )
})

describe('isUnavailable', () => {
  it.each([
    ...['08006', '08P01', '53100', '53300', '57P01', '57P03', '57014', '25006', 'ECONNREFUSED', 'ECONNRESET'].map(
      coded,
    ),
    Object.assign(new AggregateError([new Error('x')]), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
  ])('%s', (error) => expect(isUnavailable(error)).toBe(true))

  it.each([
    ...['23505', '40001', '42P01', '22P02', 'ERR_INVALID_ARG_TYPE'].map(coded),
    new Error('something else'),
    'Connection terminated',
    undefined,
  ])('not %s', (error) => expect(isUnavailable(error)).toBe(false))
})
