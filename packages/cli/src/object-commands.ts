import { nouns } from '@svc/client'
import { idCalled } from './called.ts'
import { type Command, command } from './command.ts'
import { type ObjectNoun, singular } from './nouns.ts'
import type { Options, OptionValues } from './options.ts'
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
  /** Prints what is answered only now. */
  printOnce?(item: Item, session: Session): void
  columns(session: Session): Promise<readonly Column<Item>[]> | readonly Column<Item>[]
  details(item: Item, session: Session): Promise<Pairs> | Pairs
  /** What goes with it when it is deleted, such as ` with 3 members`. */
  loses?(item: Item): string
  /** The part of the address for what somebody calls it. Default: what they call it, or the id of what has this name. */
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
  const { of, summaries } = kind
  const noun = singular(of)
  const name = noun.replaceAll(' ', '-')
  const described = kind.isDescribed ? fieldOptions : { file: fieldOptions.file, name: fieldOptions.name }
  const ofKey = { args: ['KEY'], keys: { KEY: of } } as const
  const listPath = ({ project }: Session) => `/api/v1/projects/${encodeURIComponent(project)}/${nouns[of].path}`
  const itemPath = async (session: Session, called: string) =>
    `${listPath(session)}/${encodeURIComponent(await (kind.idOf?.(session, called) ?? idCalled(session, of, called)))}`
  const read = async (session: Session, called: string) => {
    const response = await session.connection.send('GET', await itemPath(session, called))
    const { data } = (await response.json()) as { data: Item }
    return { item: data, etag: etagOf(response) }
  }
  const write = async (session: Session, method: string, path: string, body?: unknown, etag?: string) => {
    const response = await session.connection.send(method, path, {
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'x-svc-if-match': etag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: Item }).data
  }
  const given = async (session: Session, options: Record<string, unknown>) =>
    await fieldsOf(
      session,
      options,
      await kind.fields(options as OptionValues<Own> & OptionValues<Later>, session),
      kind.parts,
    )

  const list = command({
    name: `${name} list`,
    summary: summaries.list,
    watch: true,
    options: { ...kind.filters, ...limitOption },
    async run({ options, session }) {
      const { output, connection } = session
      const filters = Object.keys(kind.filters ?? {}).flatMap((filter) => {
        const value = (options as Record<string, string | undefined>)[filter]
        return value === undefined ? [] : [[filter, value]]
      })
      const items = await allOf<Item>(
        async (query) => {
          const asked = new URLSearchParams([
            ...Object.entries(query).map(([key, value]) => [key, String(value)]),
            ...filters,
          ])
          const response = await connection.send('GET', `${listPath(session)}?${asked}`)
          return { data: (await response.json()) as Page<Item> }
        },
        wholeNumber(options.limit, '--limit'),
      )
      if (output.isJson) return output.data(items, () => undefined)
      const empty = filters.length > 0 ? `There is no such ${noun}.` : `The project has no ${noun}.`
      output.rows(await kind.columns(session), items, empty)
    },
  })
  const get = command({
    name: `${name} get`,
    summary: summaries.get,
    watch: true,
    ...ofKey,
    async run({ args, session }) {
      const { item } = await read(session, args.KEY)
      if (session.output.isJson) return session.output.data(item, () => undefined)
      session.output.details(await kind.details(item, session))
    },
  })
  const create = command({
    name: `${name} create`,
    summary: summaries.create,
    options: { ...described, ...(kind.isNamed && keyOption), ...kind.options },
    ...(kind.about !== undefined && { about: kind.about }),
    examples: kind.examples,
    async run({ options, session }) {
      // The service checks the fields.
      const body = await given(session, options)
      const whole = kind.complete ? await kind.complete(body, session) : body
      const item = await write(session, 'POST', listPath(session), whole)
      const words = ['The', noun, item.key ?? item.shortId, `"${item.name}"`, 'is created.']
      session.output.wrote(item, words.filter((word) => word !== undefined).join(' '))
      if (!session.output.isJson) kind.printOnce?.(item, session)
    },
  })
  const set = command({
    name: `${name} set`,
    summary: summaries.set,
    ...ofKey,
    options: { ...described, ...kind.options, ...kind.later },
    async run({ args, options, session }) {
      const body = await given(session, options)
      const { etag, item: before } = await read(session, args.KEY)
      const item = await write(session, 'PATCH', `${listPath(session)}/${before.id}`, body, etag)
      session.output.wrote(item, `The ${noun} "${item.name}" is changed.`)
      if (!session.output.isJson) kind.printOnce?.(item, session)
    },
  })
  const remove = command({
    name: `${name} delete`,
    summary: summaries.delete,
    ...ofKey,
    async run({ args, session }) {
      const { item, etag } = await read(session, args.KEY)
      await session.prompt.confirm(`Delete the ${noun} "${item.name}"${kind.loses?.(item) ?? ''}?`)
      await write(session, 'DELETE', `${listPath(session)}/${item.id}`, undefined, etag)
      session.output.wrote(null, `The ${noun} "${item.name}" is deleted.`)
    },
  })
  return [list, get, create, set, remove]
}
