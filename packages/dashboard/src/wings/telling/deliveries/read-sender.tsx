import { ApiError } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../api.ts'
import { wordsOf } from '../../../shell/address.ts'
import { Readable } from '../../../shell/deleted.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { capital } from '../../../ui/words/lists.ts'
import { nearKeys } from '../../../ui/words/near-keys.ts'
import type { SenderContent, SenderKind } from './sender.ts'
import { useSenders } from './use-senders.ts'

/** Health and deliveries can change without anybody doing something here. */
const readAgainMs = 10_000

interface ReadSenderProps<Thing> {
  kind: SenderKind
  /** The id in the address. */
  wanted: string
  children: (thing: Thing) => ReactNode
}

/** The page of one webhook or destination: no permission, loading, failed, not there, or its content. */
export function ReadSender<Thing extends SenderContent>(props: ReadSenderProps<Thing>) {
  const { kind } = props
  return useMay(kind.scopes.read) ? (
    <Read {...props} />
  ) : (
    <Page title={capital(kind.noun)}>
      <NotReadable kind={kind} />
    </Page>
  )
}

export function NotReadable({ kind: { noun, scopes } }: { kind: SenderKind }) {
  return (
    <OnlyFor>{`Your role does not include reading ${noun}s. The permission that opens this page is “${scopes.read}”.`}</OnlyFor>
  )
}

export function NotChangeable({ kind: { noun, scopes } }: { kind: SenderKind }) {
  return (
    <OnlyFor>{`Your role does not include changing ${noun}s. The permission that opens this page is “${scopes.write}”.`}</OnlyFor>
  )
}

function Read<Thing extends SenderContent>({ kind, wanted, children }: ReadSenderProps<Thing>) {
  const { project } = usePlace()
  const path = kind.at(project.id, wanted)
  const query = useQuery({
    queryKey: ['get', kind.paths.one, { params: { path } }],
    queryFn: async ({ signal }) =>
      (await api.GET(kind.paths.one, { params: { path }, signal })).data!.data as unknown as Thing,
    refetchInterval: readAgainMs,
    retry: false,
  })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (isGone && !query.data) return <Missing kind={kind} wanted={wanted} />
  return query.data ? (
    <Readable kind={kind.noun} id={query.data.id} isDeleted={isGone}>
      {children(query.data)}
    </Readable>
  ) : (
    <Page title={capital(kind.noun)}>
      <Loaded query={query} lines={6}>
        {() => null}
      </Loaded>
    </Page>
  )
}

function Missing({ kind, wanted }: { kind: SenderKind; wanted: string }) {
  const { noun, Icon, pages } = kind
  const { project, params } = usePlace()
  const { data = [] } = useSenders(kind)
  const named = data.map(({ id, name }) => ({ key: wordsOf(name), id, name }))
  return (
    <NotFound
      noun={noun}
      wanted={wanted}
      place={project.name}
      icon={<Icon size={36} />}
      near={nearKeys(wanted, named).map(({ key, id, name }) => ({
        key,
        link: (
          <TextLink to={pages.one} params={{ ...params, ...pages.params(id) }} underline="always">
            {name}
          </TextLink>
        ),
      }))}
      all={
        <ButtonLink to={pages.all} params={params} variant="default">
          All {noun}s of {project.name}
        </ButtonLink>
      }
    />
  )
}
