import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { NotChangeable } from '../deliveries/read-sender.tsx'
import { pathsOf } from '../deliveries/sender.ts'
import { bodyOf, DestinationForm, type DestinationValues, rulesOf } from './destination-form.tsx'
import { type Destination, destinations, type Kind, onePath } from './destination-path.ts'
import { digests } from './digests.ts'
import { rowOf, secretFieldsOf, valuesOf } from './kinds.ts'

interface Base extends Versioned<DestinationValues> {
  kind: Kind
}

const baseOf = ({ content: destination, etag }: Versioned<Destination>): Base => ({
  kind: destination.kind,
  content: {
    name: destination.name,
    ...valuesOf(destination.kind, destination.config),
    events: destination.events,
    environmentIds: destination.environmentIds ?? [],
    allProjects: destination.allProjects,
    'template.title': destination.template?.title ?? '',
    'template.summary': destination.template?.summary ?? '',
    digest: destination.digest,
    quietHours: destination.quietHours,
  } as unknown as DestinationValues,
  etag,
})

/** Loads the destination with its version, so that a save cannot overwrite changes made meanwhile. */
export function EditDestinationPage() {
  const { project, params } = usePlace()
  const { destination: destinationId } = useParams({
    from: '/inside/$org/$project/integrations/destinations/$destination/edit',
  })
  const mayEdit = useMay(destinations.scopes.write)
  const path = { projectId: project.id, destinationId }
  const read = async (signal?: AbortSignal) =>
    baseOf(versioned(await api.GET(onePath, { params: { path }, ...(signal && { signal }) })))
  const query = useQuery({
    queryKey: ['edit', onePath, destinationId],
    queryFn: ({ signal }) => read(signal),
    enabled: mayEdit,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const name = query.data?.content.name
  return (
    <Page
      title={name === undefined ? 'Edit the destination' : `Edit ${name}`}
      description={
        <TextLink
          to="/$org/$project/integrations/destinations/$destination"
          params={{ ...params, destination: destinationId }}
        >
          {mayEdit ? 'Back without saving' : 'Back to the destination'}
        </TextLink>
      }
    >
      {mayEdit ? (
        <Loaded query={query} lines={6}>
          {(base) => <EditForm key={destinationId} path={path} base={base} read={read} />}
        </Loaded>
      ) : (
        <NotChangeable kind={destinations} />
      )}
    </Page>
  )
}

interface EditFormProps {
  path: { projectId: string; destinationId: string }
  base: Base
  read: () => Promise<Base>
}

const labels: Record<string, string> = {
  name: 'The name',
  events: 'The events',
  environmentIds: 'The environments',
  allProjects: 'Events of every project',
  'template.title': 'The title',
  'template.summary': 'The text',
  digest: 'When',
  quietHours: 'Quiet hours',
}

function EditForm({ path, base, read }: EditFormProps) {
  const { environments, params } = usePlace()
  const { kind } = base
  const done = useDone()
  const navigate = useNavigate()
  const changed = useChangedBy('destination', path.destinationId)
  const [secret, setSecret] = useState<string>()
  const leave = () =>
    navigate({
      to: '/$org/$project/integrations/destinations/$destination',
      params: { ...params, destination: path.destinationId },
    })
  const { form, dialog } = useEditForm<DestinationValues, { data?: { data: { secret: string | null } } }>({
    object: `destination:${path.destinationId}`,
    base,
    rules: rulesOf(kind) as never,
    secrets: secretFieldsOf(kind),
    read,
    write: (values, etag) =>
      api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body: bodyOf(kind, values, true) }) as never,
    done: async (answer, { name }) => {
      await done(`${name} saved.`, ...pathsOf(destinations))
      const made = answer.data?.data.secret
      if (made) setSecret(made)
      else await leave()
    },
    changed,
    labels: {
      ...labels,
      ...Object.fromEntries(rowOf(kind).fields.map(({ name, label }) => [`config.${name}`, label])),
    } as never,
    shown: (field, value) => {
      if (field === 'digest') return digests.find((digest) => digest.value === value)?.label
      if (field !== 'environmentIds') return undefined
      return allOf(environments.filter(({ id }) => (value as string[]).includes(id)).map(({ name }) => name)) || 'all'
    },
  })
  return (
    <>
      <DestinationForm kind={kind} form={form} verb="Save destination" />
      {dialog}
      {secret !== undefined && (
        <SecretDialog title="It signs from now on" label="Signing secret" secret={secret} onClose={() => void leave()}>
          <Text size="sm">The receiver needs it to check that a request comes from here.</Text>
        </SecretDialog>
      )}
    </>
  )
}
