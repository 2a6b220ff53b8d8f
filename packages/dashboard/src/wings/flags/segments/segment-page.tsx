import { Button, Text, TextInput } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, byCursor, server } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { MoreButton } from '../../../ui/table/more-button.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { onlyIf, refresh, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../references/delete-dialog.tsx'
import { UsedBy } from '../references/used-by.tsx'
import { MembersDialog, type MembersEdit } from './members-dialog.tsx'
import { listPath, membersPath, onePath, readSegment, type Segment } from './segment.ts'
import { SegmentDialog } from './segment-form.tsx'
import { actsAtOnce, usesInWords } from './segment-words.ts'

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

function Members({ segment, mayRemove }: { segment: Segment; mayRemove: boolean }) {
  const [text, setText] = useState('')
  const { project } = usePlace()
  const path = { projectId: project.id, segmentId: segment.id }
  const query = server.useInfiniteQuery('get', membersPath, { params: { path, query: { limit: 100 } } }, byCursor)
  const removal = useRemoval(path)
  const actions: Column<string> = {
    title: 'Actions',
    isActions: true,
    cell: (id) => (
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Remove ${id}`}
        loading={removal.isPending && removal.variables === id}
        onClick={() => removal.mutate(id)}
      >
        Remove
      </Button>
    ),
  }
  return (
    <Loaded query={query} like="table">
      {({ pages }) => {
        const ids = pages.flatMap(({ data }) => data)
        const wanted = text.trim().toLowerCase()
        const rows = ids.filter((id) => id.toLowerCase().includes(wanted))
        if (ids.length === 0)
          return (
            <Text size="sm" c="dimmed">
              No ids yet. Add them by pasting or from a file.
            </Text>
          )
        return (
          <>
            <FailureNotice error={removal.error} title="Not removed" />
            <TextInput
              label={query.hasNextPage ? `Filter the ${counted(ids.length, 'id')} shown` : 'Filter'}
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {rows.length === 0 ? (
              <Text size="sm" c="dimmed" role="status">
                No id contains this text{query.hasNextPage ? ' among those shown' : ''}.
              </Text>
            ) : (
              <DataTable
                caption="Visitor ids"
                rows={rows}
                keyOf={(id) => id}
                columns={mayRemove ? [idColumn, actions] : [idColumn]}
              />
            )}
            <MoreButton query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

/** Removes an id. The message can add it again. */
function useRemoval(path: { projectId: string; segmentId: string }) {
  const client = useQueryClient()
  const done = useDone()
  const change = (edit: 'add' | 'remove', id: string) =>
    api.POST(`${membersPath}/${edit}`, { params: { path }, body: { ids: [id] } })
  return useMutation({
    mutationFn: (id: string) => change('remove', id),
    onSuccess: async (_answer, id) => {
      await refresh(client, listPath, onePath, membersPath)
      announce(`${shortened(id)} removed.`, {
        undo: async () => {
          await change('add', id)
          await done(`${shortened(id)} is back.`, listPath, onePath, membersPath)
        },
      })
    },
  })
}

const idColumn: Column<string> = { title: 'Visitor id', cell: (id) => <bdi>{id}</bdi> }

const shortened = (id: string): string => (id.length > 60 ? `${id.slice(0, 60)}…` : id)
