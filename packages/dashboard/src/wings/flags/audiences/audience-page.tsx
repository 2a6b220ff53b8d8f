import { Button, List, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useKeys } from '../../../shell/keys.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ChangedBy } from '../../../ui/changed-by.tsx'
import { ConditionText } from '../../../ui/condition-text.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { OnlyFor } from '../../../ui/only-for.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../references/delete-dialog.tsx'
import { useNames } from '../references/names.ts'
import { ReferenceLink } from '../references/reference-link.tsx'
import { type Audience, conditionOf, listPath, namesIn, onePath, readAudience, usesInWords } from './audience.ts'
import { AudiencePanel } from './audience-form.tsx'

/** One audience: who is in it, what uses it, and how to change or delete it. */
export function AudiencePage() {
  const { audience: shortId } = useParams({ from: '/inside/$org/$project/audiences/$audience' })
  const { project, params } = usePlace()
  const query = useQuery({
    queryKey: ['get', onePath, project.id, shortId],
    queryFn: ({ signal }) => readAudience(project.id, shortId, signal),
    retry: false,
  })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (isGone)
    return (
      <Page title="No such audience">
        <EmptyState
          icon={<IconUsersGroup size={36} />}
          title="This audience does not exist"
          action={
            <ButtonLink to="/$org/$project/audiences" params={params} variant="default">
              Go to audiences
            </ButtonLink>
          }
        >
          It may have been deleted, or it belongs to another project.
        </EmptyState>
      </Page>
    )
  return query.data ? (
    <Shown audience={query.data} />
  ) : (
    <Page title="Audience">
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function Shown({ audience }: { audience: Versioned<Audience> }) {
  const { content, etag } = audience
  const { project, params } = usePlace()
  const { panel } = useSearch({ from: '/inside/$org/$project/audiences/$audience' })
  const { data: index } = useProjectIndex()
  const navigate = useNavigate()
  const done = useDone()
  const mayEdit = useMay('audiences:write')
  const changed = useChangedBy('audience', content.id)
  const [isDeleting, setIsDeleting] = useState(false)
  const names = useNames(content.usedBy.map(({ id }) => id))
  const go = (search: { panel?: string }) => void navigate({ to: '.', search: search as never, resetScroll: false })
  useKeys(mayEdit ? { e: { label: 'Edit this audience', act: () => go({ panel: 'edit' }) } } : {})

  const remove = async () => {
    const path = { projectId: project.id, audienceId: content.id }
    await api.DELETE(onePath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/audiences', params })
    await done(`${content.name} deleted.`, listPath, '/api/v1/projects/{projectId}/index')
  }
  return (
    <Page
      title={content.name}
      description={content.description}
      actions={
        mayEdit && (
          <>
            <Button variant="default" onClick={() => setIsDeleting(true)}>
              Delete…
            </Button>
            <Button onClick={() => go({ panel: 'edit' })}>Edit audience</Button>
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at this audience. Editors and admins can change it.</OnlyFor>}
      {changed && <ChangedBy {...changed} />}
      <Section title="Who is in it">
        <div>
          <ConditionText condition={conditionOf(content)} names={namesIn(index)} />
        </div>
      </Section>
      <Section
        title="Used by"
        description={`${usesInWords(content.usedBy)} ${content.usedBy.length <= 1 ? 'uses' : 'use'} it, drafted or live.`}
      >
        {content.usedBy.length > 0 ? (
          <List size="sm">
            {content.usedBy.map((use) => (
              <List.Item key={use.id}>
                <ReferenceLink reference={use} named={names.get(use.id)} />
              </List.Item>
            ))}
          </List>
        ) : (
          <Text size="sm" c="dimmed">
            Choose it in a rule of a flag.
          </Text>
        )}
      </Section>
      {panel === 'edit' && mayEdit && <AudiencePanel audience={audience} onClose={() => go({})} />}
      {isDeleting && (
        <DeleteDialog
          noun="audience"
          name={content.name}
          usedBy={content.usedBy}
          remove={remove}
          onClose={() => setIsDeleting(false)}
        >
          The audience is gone for good, with its conditions. It can be deleted only while no rule uses it. A deleted
          rule counts until the next publish.
        </DeleteDialog>
      )}
    </Page>
  )
}
