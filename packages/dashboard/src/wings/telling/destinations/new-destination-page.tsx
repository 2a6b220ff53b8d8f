import { Code, Paper, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { SecretDialog } from '../../../ui/dialog/secret-dialog.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { refresh } from '../../../versioned.ts'
import { startingEventsOf } from '../deliveries/events.ts'
import { NotChangeable } from '../deliveries/read-sender.tsx'
import { bodyOf, DestinationForm, type DestinationValues, rulesOf } from './destination-form.tsx'
import { destinations, type Kind, listPath } from './destination-path.ts'
import { isKind, kindRows, rowOf, secretFieldsOf, valuesOf } from './kinds.ts'
import { MessagePicture } from './message-picture.tsx'
import classes from './new-destination-page.module.css'
import { sampleOf, templateSample } from './sample-messages.ts'

/** First the kind, then its form. */
export function NewDestinationPage() {
  const { params } = usePlace()
  const { kind } = useSearch({ from: '/inside/$org/$project/integrations/destinations/new' })
  const mayEdit = useMay(destinations.scopes.write)
  const back = (
    <TextLink to="/$org/$project/integrations/destinations" params={params}>
      All destinations
    </TextLink>
  )
  if (!mayEdit)
    return (
      <Page title="New destination" description={back}>
        <NotChangeable kind={destinations} />
      </Page>
    )
  if (!isKind(kind))
    return (
      <Page title="New destination" description={back}>
        <Text>Where should events of this project go?</Text>
        <div className={classes.kinds}>
          {kindRows.map((row) => (
            <Paper key={row.kind} withBorder p="md" radius="md">
              <Title order={2} size="h4">
                <TextLink
                  to="/$org/$project/integrations/destinations/new"
                  params={params}
                  search={{ kind: row.kind }}
                  inherit
                >
                  {row.label}
                </TextLink>
              </Title>
              <Text size="sm" mt="xs" mb="sm">
                {row.about}
              </Text>
              {/* Only a picture: the sentence says the same. */}
              <div aria-hidden>
                {row.kind === 'TEMPLATE' ? (
                  <Code block>{templateSample}</Code>
                ) : (
                  <MessagePicture kind={row.kind} message={sampleOf(row.kind)} />
                )}
              </div>
            </Paper>
          ))}
        </div>
      </Page>
    )
  return (
    <Page
      title={`New destination: ${rowOf(kind).label}`}
      description={
        <TextLink to="/$org/$project/integrations/destinations/new" params={params} search={{}}>
          Choose a different kind
        </TextLink>
      }
    >
      <NewForm key={kind} kind={kind} />
    </Page>
  )
}

function NewForm({ kind }: { kind: Kind }) {
  const { project, params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; name: string; secret: string }>()
  const open = (id: string) =>
    void navigate({
      to: '/$org/$project/integrations/destinations/$destination',
      params: { ...params, destination: id },
    })
  const form = useNewForm<DestinationValues, { id: string; name: string; secret: string | null }>({
    object: `new-destination:${project.id}:${kind}`,
    initial: {
      name: '',
      ...valuesOf(kind),
      events: startingEventsOf(project.type),
      environmentIds: [],
      allProjects: false,
      'template.title': '',
      'template.summary': '',
      digest: 'NONE',
      quietHours: true,
    } as unknown as DestinationValues,
    rules: rulesOf(kind) as never,
    secrets: secretFieldsOf(kind),
    send: async (values) => {
      const body = { kind, ...bodyOf(kind, values) } as never
      return (await api.POST(listPath, { params: { path: { projectId: project.id } }, body })).data!.data
    },
    done: async ({ id, name, secret }) => {
      await refresh(client, listPath)
      if (secret) return setMade({ id, name, secret })
      announce(`${name} created. Send it a test message.`)
      open(id)
    },
  })
  return (
    <>
      <DestinationForm kind={kind} form={form} verb="Create destination" />
      {made && (
        <SecretDialog
          title={`${made.name} is ready`}
          label="Signing secret"
          secret={made.secret}
          onClose={() => open(made.id)}
        >
          <Text size="sm">The receiver needs it to check that a request comes from here.</Text>
        </SecretDialog>
      )}
    </>
  )
}
