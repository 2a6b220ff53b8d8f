import { Button, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../references/delete-dialog.tsx'
import { UsedBy } from '../references/used-by.tsx'
import { ExportButton, Members } from './members.tsx'
import { MembersDialog, type MembersEdit } from './members-dialog.tsx'
import { listPath, onePath, readSegment, type Segment } from './segment.ts'
import { SegmentDialog } from './segment-form.tsx'
import { actsAtOnce, editInWords, usesInWords } from './segment-words.ts'

/** One segment: its visitor ids, and how to add, remove and replace them. */
export function SegmentPage() {
  const { segment: shortId } = useParams({ from: '/inside/$org/$project/segments/$segment' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="segment"
      wanted={shortId}
      Icon={IconListDetails}
      path={onePath}
      read={readSegment}
      near={({ segments }) => segments}
      link={({ shortId, name }) => (
        <TextLink
          to="/$org/$project/segments/$segment"
          params={{ ...params, segment: String(shortId) }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <ButtonLink to="/$org/$project/segments" params={params} variant="default">
          Go to segments
        </ButtonLink>
      }
    >
      {(segment) => <Shown segment={segment} />}
    </ObjectPage>
  )
}

const edits: readonly string[] = ['add', 'remove', 'replace'] satisfies MembersEdit[]

function Shown({ segment }: { segment: Versioned<Segment> }) {
  const { content } = segment
  const { user } = useSubject()
  const mayEdit = useMay('segments:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('segment', mayEdit)
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
            <Button variant="default" onClick={() => open('edit')}>
              Edit
            </Button>
            <Button onClick={() => open('add')}>Add ids</Button>
          </>
        )
      }
    >
      <LastChange kind="segment" id={content.id} />
      <Section
        title={counted(content.count, 'visitor id')}
        description={actsAtOnce(content)}
        actions={
          offers &&
          content.count > 0 && (
            <>
              <ExportButton segment={content} />
              <Button size="xs" variant="default" onClick={() => open('remove')}>
                Remove ids
              </Button>
              <Button size="xs" variant="default" onClick={() => open('replace')}>
                Replace all…
              </Button>
            </>
          )
        }
      >
        {content.lastEdit && (
          <Text size="sm">
            {editInWords(content.lastEdit)} <Time time={content.lastEdit.at} isStop />.
          </Text>
        )}
        {mayEdit ? (
          <Members segment={content} mayRemove={offers} />
        ) : (
          <OnlyFor>You can see how many ids there are. Editors and admins can see and change them.</OnlyFor>
        )}
      </Section>
      <UsedBy
        uses={content.usedBy}
        inWords={usesInWords(content.usedBy) ?? 'Nothing'}
        unused={`Choose it in a condition of ${user} or of an audience.`}
      />
      {panel === 'edit' && <SegmentDialog segment={segment} onClose={close} />}
      {edits.includes(panel) && <MembersDialog edit={panel as MembersEdit} segment={segment} onClose={close} />}
      {deletion.isDeleting && <DeleteSegment segment={segment} onClose={deletion.keep} />}
    </Page>
  )
}

function DeleteSegment({ segment, onClose }: { segment: Versioned<Segment>; onClose: () => void }) {
  const { id, name, usedBy, count } = segment.content
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const remove = async () => {
    const path = { projectId: project.id, segmentId: id }
    await api.DELETE(onePath, { params: { path, header: onlyIf(segment.etag) } })
    await navigate({ to: '/$org/$project/segments', params })
    await done(`${name} deleted.`, listPath, '/api/v1/projects/{projectId}/index')
  }
  return (
    <DeleteDialog noun="segment" name={name} usedBy={usedBy} remove={remove} onClose={onClose}>
      The segment and its {counted(count, 'id')} are gone for good. It can be deleted only while nothing uses it. What
      is taken out of a draft counts until the next publish.
    </DeleteDialog>
  )
}
