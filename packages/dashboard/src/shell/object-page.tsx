import { ApiError } from '@svc/client'
import type { TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../ui/layout/loaded.tsx'
import { NotFound } from '../ui/layout/not-found.tsx'
import { Page, TitleKind } from '../ui/layout/page.tsx'
import { capital } from '../ui/words/lists.ts'
import { nearKeys } from '../ui/words/near-keys.ts'
import type { Versioned } from '../versioned.ts'
import { wordsOf } from './address.ts'
import { Readable } from './deleted.tsx'
import { type ProjectIndex, useProjectIndex } from './index-query.ts'
import { usePlace } from './place.ts'

interface ObjectPageProps<Thing, Near> {
  /** "audience". Live messages name it so, with `_` for a space. */
  noun: string
  /** What the address says: a key, a short number, an id. */
  wanted: string
  Icon: TablerIcon
  /** The path of the call, which live messages name. */
  path: string
  read: (projectId: string, wanted: string, signal: AbortSignal) => Promise<Versioned<Thing>>
  /** Everything of its kind in the index, for an address with a typing mistake. */
  near: (index: ProjectIndex) => readonly Near[] | null
  link: (near: Near) => ReactNode
  /** The link to all of them. */
  all: ReactNode
  children: (thing: Versioned<Thing>) => ReactNode
}

/** The page of one thing of the project: loading, failed, not there with near matches, or its content. */
export function ObjectPage<Thing extends { id: string }, Near extends { name: string; key?: string }>(
  props: ObjectPageProps<Thing, Near>,
) {
  const { noun, wanted, path, read, children } = props
  const { project } = usePlace()
  const query = useQuery({
    queryKey: ['get', path, project.id, wanted],
    queryFn: ({ signal }) => read(project.id, wanted, signal),
    retry: false,
  })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (isGone && !query.data) return <Missing {...props} />
  return query.data ? (
    // Another thing begins again, so that no form of this one goes on with it.
    <Readable
      key={query.data.content.id}
      kind={noun.replaceAll(' ', '_')}
      id={query.data.content.id}
      isDeleted={isGone}
    >
      <TitleKind value={capital(noun)}>{children(query.data)}</TitleKind>
    </Readable>
  ) : (
    <Page title={capital(noun)}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function Missing<Near extends { name: string; key?: string }>({
  noun,
  wanted,
  Icon,
  near,
  link,
  all,
}: Omit<ObjectPageProps<unknown, Near>, 'read' | 'children'>) {
  const { project } = usePlace()
  const { data: index } = useProjectIndex()
  const named = index ? (near(index) ?? []) : []
  return (
    <NotFound
      noun={noun}
      wanted={wanted}
      place={project.name}
      icon={<Icon size={36} />}
      near={nearKeys(
        wanted,
        named.map((thing) => ({ key: thing.key ?? wordsOf(thing.name), thing })),
      ).map(({ key, thing }) => ({ key, link: link(thing) }))}
      all={all}
    />
  )
}
