import { Button } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../references/delete-dialog.tsx'
import { UsedBy } from '../references/used-by.tsx'
import { type Audience, conditionOf, listPath, namesIn, onePath, readAudience, usesInWords } from './audience.ts'
import { AudiencePanel } from './audience-form.tsx'
import { AudienceReach } from './reach.tsx'
import { TryAudience } from './try-audience.tsx'
import { useUnpublishedIn } from './unpublished-in.ts'

/** One audience: who is in it, what uses it, and how to change or delete it. */
export function AudiencePage() {
  const { audience: shortId } = useParams({ from: '/inside/$org/$project/audiences/$audience' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="audience"
      wanted={shortId}
      Icon={IconUsersGroup}
      path={onePath}
      read={readAudience}
      near={({ audiences }) => audiences}
      link={({ shortId, name }) => (
        <TextLink
          to="/$org/$project/audiences/$audience"
          params={{ ...params, audience: String(shortId) }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <ButtonLink to="/$org/$project/audiences" params={params} variant="default">
          Go to audiences
        </ButtonLink>
      }
    >
      {(audience) => <Shown audience={audience} />}
    </ObjectPage>
  )
}

function Shown({ audience }: { audience: Versioned<Audience> }) {
  const { content } = audience
  const { params } = usePlace()
  const { user } = useSubject()
  const { data: index } = useProjectIndex()
  const mayEdit = useMay('audiences:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('audience', mayEdit)
  const unpublished = useUnpublishedIn()(content.id)
  return (
    <Page
      title={content.name}
      description={content.description}
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button onClick={() => open('edit')}>Edit audience</Button>
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at this audience. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="audience" id={content.id} />
      {unpublished.length > 0 && (
        <Notice
          tone="unpublished"
          title={`Not published in ${allOf(unpublished.map(({ name }) => name))}`}
          actions={unpublished.map(({ key, name }) => (
            <TextLink
              key={key}
              to="/$org/$project/environments/$environment/publish"
              params={{ ...params, environment: key }}
            >
              Review in {name}
            </TextLink>
          ))}
        >
          Visitors there still get the conditions that were published last.
        </Notice>
      )}
      <Section title="Who is in it">
        <div>
          <ConditionText condition={conditionOf(content)} names={namesIn(index)} />
        </div>
      </Section>
      <TryAudience audience={content} />
      <AudienceReach audience={content} />
      <UsedBy uses={content.usedBy} inWords={usesInWords(content.usedBy)} unused={`Choose it in ${user}.`} />
      {panel === 'edit' && <AudiencePanel audience={audience} onClose={close} />}
      {deletion.isDeleting && <DeleteAudience audience={audience} onClose={deletion.keep} />}
    </Page>
  )
}

function DeleteAudience({ audience, onClose }: { audience: Versioned<Audience>; onClose: () => void }) {
  const { id, name, usedBy } = audience.content
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const remove = async () => {
    const path = { projectId: project.id, audienceId: id }
    await api.DELETE(onePath, { params: { path, header: onlyIf(audience.etag) } })
    await navigate({ to: '/$org/$project/audiences', params })
    await done(`${name} deleted.`, listPath, '/api/v1/projects/{projectId}/index')
  }
  return (
    <DeleteDialog noun="audience" name={name} usedBy={usedBy} remove={remove} onClose={onClose}>
      The audience is gone for good, with its conditions. It can be deleted only while nothing uses it. What is taken
      out of a draft counts until the next publish.
    </DeleteDialog>
  )
}
