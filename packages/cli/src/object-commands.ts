import { nouns } from '@svc/client'
import { idCalled } from './called.ts'
import { type Command, command } from './command.ts'
import { type ObjectNoun, singular } from './nouns.ts'
import type { Options, OptionValues } from './options.ts'
import { Problem } from './problem.ts'
import { etagOf } from './service/etag.ts'
import { allOf } from './service/pages.ts'
import type { Session } from './session.ts'
import type { Column } from './terminal/table.ts'
import { fieldOptions, fieldsOf, keyOption } from './values/field-options.ts'
import { limitOption, wholeNumber } from './values/option-values.ts'

/** What the commands of a kind of objects have of their own. */
export interface ObjectKind<Item, Own extends Options, Later extends Options> {
  /** Words, address and completion follow from its row in the catalogue. */
  of: ObjectNoun
  /** What the commands begin with, if it is not the noun. */
  word?: string
  summaries: { list: string; get: string; create: string; set: string; delete: string }
  /** The object has a description. */
  isDescribed?: true
  /** Options of `list` that are parameters of the address by the same name. */
  filters?: Options
  /** Further sentences of the help of `create`. */
  about?: string
  /** Its key is made from its name unless it is given. */
  isNamed?: true
  examples: readonly string[]
  /** Options of `create` and `set`. */
  options: Own
  /** Options of `set` alone. */
  later: Later
  /** The fields of these options. */
  fields(
    options: OptionValues<Own> & OptionValues<Later>,
    session: Session,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Fields of `fields` whose own fields are added to those of a file. */
  parts?: readonly string[]
  /** Completes what `create` sends, such as by questions. */
  complete?(body: Record<string, unknown>, session: Session): Promise<Record<string, unknown>>
  /** Prints what only this answer contains, such as a secret. */
  printOnce?(item: Item, session: Session): void
  /**
   * What to say if the answer lacks what only the first answer contains, because that was lost on its way.
   *
   * @param before the object before a change; undefined if it is new
   */
  lost?(item: Item, before?: Item): string | undefined
  columns(session: Session): Promise<readonly Column<Item>[]> | readonly Column<Item>[]
  details(item: Item, session: Session): Promise<Pairs> | Pairs
  /** What a deletion can be asked besides, as parameters of its address by their names. */
  deletion?: Options
  /** What a deletion also deletes, such as ` with 3 members`. */
  loses?(item: Item): string
  /**
   * The part of the address for the words of a person. Default: these words, or the id of the object with this name.
   */
  idOf?(session: Session, called: string): Promise<string>
}

type Pairs = readonly (readonly [string, string | number | null | undefined])[]
interface Named {
  id: string
  name: string
  key?: string
  shortId?: number
}
interface Page<Item> {
  data: Item[]
  page: { nextCursor: string | null; hasMore: boolean }
}

/** `list`, `get`, `create`, `set` and `delete` of a kind of objects. */
export function objectCommands<Item extends Named, const Own extends Options, const Later extends Options>(
  kind: ObjectKind<Item, Own, Later>,
): readonly Command[] {
  const some = kind as unknown as SomeKind<Item>
  return [listOf(some), getOf(some), createOf(some), setOf(some), deleteOf(some)]
}

/** A kind whose options are not known by name. */
type SomeKind<Item> = Omit<ObjectKind<Item, Options, Options>, 'fields'> & {
  fields(options: Record<string, unknown>, session: Session): Record<string, unknown> | Promise<Record<string, unknown>>
}

const nounOf = <Item>({ of }: SomeKind<Item>): string => singular(of)

/** The first word of the commands, such as `exclusion-group`. */
const wordOf = <Item>(kind: SomeKind<Item>): string => kind.word ?? nounOf(kind).replaceAll(' ', '-')

const ofKey = <Item>({ of }: SomeKind<Item>) => ({ args: ['KEY'], keys: { KEY: of } }) as const

const described = <Item>({ isDescribed }: SomeKind<Item>) =>
  isDescribed ? fieldOptions : { file: fieldOptions.file, name: fieldOptions.name }

const listPath = <Item>({ of }: SomeKind<Item>, { project }: Session): string =>
  `/api/v1/projects/${encodeURIComponent(project)}/${nouns[of].path}`

async function read<Item>(kind: SomeKind<Item>, session: Session, called: string) {
  const id = await (kind.idOf?.(session, called) ?? idCalled(session, kind.of, called))
  const response = await session.connection.send('GET', `${listPath(kind, session)}/${encodeURIComponent(id)}`)
  const { data } = (await response.json()) as { data: Item }
  return { item: data, etag: etagOf(response) }
}

async function write<Item>(
  { connection }: Session,
  method: string,
  path: string,
  sent: { body?: unknown; etag?: string | undefined },
): Promise<Item> {
  const { body, etag } = sent
  const response = await connection.send(method, path, {
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(etag !== undefined && { 'x-svc-if-match': etag }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return ((await response.json()) as { data: Item }).data
}

/** The fields that the options name. The service checks them. */
const given = async <Item>(kind: SomeKind<Item>, session: Session, options: Record<string, unknown>) =>
  await fieldsOf(session, options, await kind.fields(options, session), kind.parts)

function listOf<Item>(kind: SomeKind<Item>): Command {
  const filterNames = Object.keys(kind.filters ?? {})
  return command({
    name: `${wordOf(kind)} list`,
    summary: kind.summaries.list,
    watch: true,
    options: { ...kind.filters, ...limitOption },
    async run({ options, session }) {
      const { output, connection } = session
      const filters = filterNames.flatMap((filter) => {
        const value = (options as Record<string, string | undefined>)[filter]
        return value === undefined ? [] : [[filter, value]]
      })
      const items = await allOf<Item>(
        async (query) => {
          const asked = new URLSearchParams([
            ...Object.entries(query).map(([key, value]) => [key, String(value)]),
            ...filters,
          ])
          const response = await connection.send('GET', `${listPath(kind, session)}?${asked}`)
          return { data: (await response.json()) as Page<Item> }
        },
        wholeNumber(options.limit, '--limit'),
      )
      if (output.isJson) return output.data(items, () => undefined)
      const empty = filters.length > 0 ? `No ${nounOf(kind)} matches.` : `The project has no ${nounOf(kind)}.`
      output.rows(await kind.columns(session), items, empty)
    },
  })
}

const getOf = <Item>(kind: SomeKind<Item>): Command =>
  command({
    name: `${wordOf(kind)} get`,
    summary: kind.summaries.get,
    watch: true,
    ...ofKey(kind),
    async run({ args, session }) {
      const { item } = await read(kind, session, args.KEY)
      if (session.output.isJson) return session.output.data(item, () => undefined)
      session.output.details(await kind.details(item, session))
    },
  })

const createOf = <Item extends Named>(kind: SomeKind<Item>): Command =>
  command({
    name: `${wordOf(kind)} create`,
    summary: kind.summaries.create,
    options: { ...described(kind), ...(kind.isNamed && keyOption), ...kind.options },
    ...(kind.about !== undefined && { about: kind.about }),
    examples: kind.examples,
    async run({ options, session }) {
      const body = await given(kind, session, options)
      const whole = kind.complete ? await kind.complete(body, session) : body
      const item = await write<Item>(session, 'POST', listPath(kind, session), { body: whole })
      refuseLost(kind, item)
      const words = ['The', nounOf(kind), item.key ?? item.shortId, `"${item.name}"`, 'is created.']
      session.output.wrote(item, words.filter((word) => word !== undefined).join(' '))
      if (!session.output.isJson) kind.printOnce?.(item, session)
    },
  })

const setOf = <Item extends Named>(kind: SomeKind<Item>): Command =>
  command({
    name: `${wordOf(kind)} set`,
    summary: kind.summaries.set,
    ...ofKey(kind),
    options: { ...described(kind), ...kind.options, ...kind.later },
    async run({ args, options, session }) {
      const body = await given(kind, session, options)
      const { etag, item: before } = await read(kind, session, args.KEY)
      const item = await write<Item>(session, 'PATCH', `${listPath(kind, session)}/${before.id}`, { body, etag })
      refuseLost(kind, item, before)
      session.output.wrote(item, `The ${nounOf(kind)} "${item.name}" is changed.`)
      if (!session.output.isJson) kind.printOnce?.(item, session)
    },
  })

function refuseLost<Item>(kind: SomeKind<Item>, item: Item, before?: Item): void {
  const sentence = kind.lost?.(item, before)
  if (sentence !== undefined) throw new Problem('failed', sentence)
}

const deleteOf = <Item extends Named>(kind: SomeKind<Item>): Command =>
  command({
    name: `${wordOf(kind)} delete`,
    summary: kind.summaries.delete,
    ...ofKey(kind),
    ...(kind.deletion && { options: kind.deletion }),
    async run({ args, options, session }) {
      const { item, etag } = await read(kind, session, args.KEY)
      await session.prompt.confirm(`Delete the ${nounOf(kind)} "${item.name}"${kind.loses?.(item) ?? ''}?`)
      const given = Object.entries(options as Record<string, unknown>).filter(([, value]) => value !== undefined)
      const asked = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      await write(session, 'DELETE', `${listPath(kind, session)}/${item.id}${asked === '' ? '' : `?${asked}`}`, {
        etag,
      })
      session.output.wrote(null, `The ${nounOf(kind)} "${item.name}" is deleted.`)
    },
  })
