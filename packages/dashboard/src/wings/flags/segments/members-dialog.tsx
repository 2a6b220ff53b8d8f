import { Button, List, Stack, Text, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { api } from '../../../api.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Progress } from '../../../ui/status/progress.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type IdsIn, idsIn, maxMembers, withoutFaults } from './ids-in.ts'
import { listPath, membersPath, onePath, readSegment, type Segment } from './segment.ts'
import { actsAtOnce } from './segment-words.ts'

export type MembersEdit = 'add' | 'remove' | 'replace'

/** Ids in one call that adds or removes some. */
const perCall = 1000
const maxFileBytes = 8_000_000
/** A longer text is read, but not shown in the field, which would become slow. */
const maxShownText = 200_000
const shownLines = 5

const words = {
  add: { title: 'Add ids to', verb: 'Add', done: 'added' },
  remove: { title: 'Remove ids from', verb: 'Remove', done: 'removed' },
  replace: { title: 'Replace the ids of', verb: 'Replace by', done: 'are the new members' },
} as const

interface MembersDialogProps {
  edit: MembersEdit
  segment: Versioned<Segment>
  onClose: () => void
}

/** Takes ids from a text or a file, shows what was read and which lines are wrong, and only then sends them. */
export function MembersDialog(props: MembersDialogProps) {
  const { edit, segment, onClose } = props
  return (
    <Dialog onClose={onClose} title={`${words[edit].title} ${segment.content.name}`} size="lg">
      <MembersForm {...props} />
    </Dialog>
  )
}

function MembersForm({ edit, segment, onClose }: MembersDialogProps) {
  const changed = useChangedBy('segment', segment.content.id)
  const who = changed?.name ?? 'Another person'
  const { form, opened, base, sent } = useMembersForm({ edit, segment, onClose })
  const text = form.values.ids
  const read = useMemo(() => idsIn(text), [text])
  return (
    <ApiForm
      form={form}
      verb={verbOf(edit, read.ids.length)}
      isDangerous={edit === 'replace'}
      refusal={
        wasOvertaken(form.failure) && (
          <Notice
            tone="warning"
            says="at once"
            title={`${who} has changed this segment meanwhile`}
            actions={
              read.ids.length > 0 && (
                <Button variant="default" onClick={() => form.save('add')}>
                  Keep them and add {counted(read.ids.length, 'id')}
                </Button>
              )
            }
          >
            It has {counted(base.content.count, 'id')} now, and had {opened.content.count.toLocaleString('en')} when you
            opened this. Nothing was sent, and what you typed is kept. Keep the current ids and add yours, or replace
            them anyway.
          </Notice>
        )
      }
    >
      {edit === 'replace' && segment.etag !== base.etag && !form.failure && (
        <Notice tone="warning" says="politely" title={`${who} has changed this segment meanwhile`}>
          What you typed is kept. When you send it, you choose whether the current ids stay.
        </Notice>
      )}
      <Sent sent={sent} of={read.ids.length} edit={edit} hasFailed={Boolean(form.failure)} />
      <Text size="sm">{consequence(edit, base.content, read.ids.length)}</Text>
      <IdsField form={form} />
      <Read read={read} />
      <Unread faults={read.faults} onLeaveOut={() => form.set('ids', withoutFaults(text, read.faults))} />
      {isLong(text) && form.error('ids') && (
        <Text size="sm" role="alert">
          {form.error('ids')}
        </Text>
      )}
    </ApiForm>
  )
}

const isLong = (text: string): boolean => text.length > maxShownText

/** What is typed belongs to the version that was read when the dialog opened. */
function useMembersForm({ edit, segment, onClose }: MembersDialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const [opened] = useState(segment)
  const [base, setBase] = useState(segment)
  const path = { projectId: project.id, segmentId: segment.content.id }
  const [sent, setSent] = useState(0)
  const inParts = async (part: 'add' | 'remove', ids: readonly string[]) => {
    setSent(0)
    for (let at = 0; at < ids.length; at += perCall) {
      await api.POST(`${membersPath}/${part}`, { params: { path }, body: { ids: ids.slice(at, at + perCall) } })
      setSent(Math.min(at + perCall, ids.length))
    }
  }
  const replace = async (ids: string[]) => {
    try {
      await api.PUT(membersPath, { params: { path, header: onlyIf(base.etag) }, body: { ids } })
    } catch (error) {
      if (wasOvertaken(error)) setBase(await readSegment(project.id, segment.content.id))
      throw error
    }
  }
  const form = useNewForm({
    object: `segment-ids:${edit}:${segment.content.id}`,
    initial: { ids: '' },
    rules: { ids: (text) => faultOf(idsIn(text), edit) },
    send: async ({ ids: text }, wanted: MembersEdit = edit) => {
      const { ids } = idsIn(text)
      if (wanted === 'replace') await replace(ids)
      else await inParts(wanted, ids)
      return `${counted(ids.length, 'id')} ${words[wanted].done}.`
    },
    done: async (message) => {
      await done(message, listPath, onePath, membersPath)
      onClose()
    },
  })
  return { form, opened, base, sent }
}

interface SentProps {
  sent: number
  of: number
  edit: MembersEdit
  hasFailed: boolean
}

/** How far a long list is, or how far it came. */
function Sent({ sent, of, edit, hasFailed }: SentProps) {
  if (sent === 0 || sent >= of) return null
  return hasFailed ? (
    <Notice tone="warning" title={`${counted(sent, 'id')} of ${of.toLocaleString('en')} ${words[edit].done}`}>
      The rest was not sent. Send the list again: what is done already is left as it is.
    </Notice>
  ) : (
    <div role="status">
      <Text size="sm">
        {counted(sent, 'id')} of {of.toLocaleString('en')} sent
      </Text>
      <Progress label="Ids that were sent" done={sent} of={of} />
    </div>
  )
}

/** Ids from a file, or pasted. */
function IdsField({ form }: { form: Pick<Form<{ ids: string }>, 'values' | 'field' | 'set'> }) {
  const [file, setFile] = useState<string>()
  const take = async (chosen: File) => {
    form.set('ids', await chosen.text())
    setFile(chosen.name)
  }
  return (
    <>
      <FileDrop
        label="Choose a CSV or text file"
        accept=".csv,.txt,text/csv,text/plain"
        maxBytes={maxFileBytes}
        onFile={(chosen) => void take(chosen)}
      >
        One id in each line, or in the first column.
      </FileDrop>
      {isLong(form.values.ids) ? (
        <Notice
          title={file ?? 'A long list'}
          actions={
            <Button size="xs" variant="default" onClick={() => form.set('ids', '')}>
              Take another
            </Button>
          }
        >
          It is too long to be edited here.
        </Notice>
      ) : (
        <Textarea
          {...form.field('ids')}
          label="Visitor ids"
          description="Paste them, one in each line."
          autosize
          minRows={4}
          maxRows={10}
          spellCheck={false}
          data-autofocus
        />
      )}
    </>
  )
}

/** Lines that are not ids. */
function Unread({ faults, onLeaveOut }: { faults: IdsIn['faults']; onLeaveOut: () => void }) {
  if (faults.length === 0) return null
  return (
    <Notice
      tone="warning"
      title={`${counted(faults.length, 'line')} cannot be read`}
      actions={
        <Button size="xs" variant="default" onClick={onLeaveOut}>
          Leave out {faults.length === 1 ? 'this line' : 'these lines'}
        </Button>
      }
    >
      <List size="sm">
        {faults.slice(0, shownLines).map(({ line, text, message }) => (
          <List.Item key={line}>
            Line {line.toLocaleString('en')}: <bdi>{shortened(text)}</bdi>. {message}
          </List.Item>
        ))}
        {faults.length > shownLines && <List.Item>{(faults.length - shownLines).toLocaleString('en')} more</List.Item>}
      </List>
    </Notice>
  )
}

/** What will be sent: how many ids, and the first of them. */
function Read({ read: { ids, repeated, hasMoreColumns } }: { read: IdsIn }) {
  if (ids.length === 0) return null
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600}>
        {counted(ids.length, 'id')}
        {repeated > 0 && `, ${counted(repeated, 'repeated line')} left out`}
      </Text>
      <List size="sm">
        {ids.slice(0, shownLines).map((id) => (
          <List.Item key={id}>
            <bdi>{shortened(id)}</bdi>
          </List.Item>
        ))}
        {ids.length > shownLines && <List.Item>{(ids.length - shownLines).toLocaleString('en')} more</List.Item>}
      </List>
      {hasMoreColumns && (
        <Text size="sm" c="dimmed">
          Only the first column is used.
        </Text>
      )}
    </Stack>
  )
}

function faultOf({ ids, faults }: IdsIn, edit: MembersEdit): string | undefined {
  if (faults.length > 0)
    return `Fix ${faults.length === 1 ? `line ${faults[0]!.line}` : counted(faults.length, 'line')}, or leave it out.`
  if (ids.length > maxMembers) return `A segment can have up to ${maxMembers.toLocaleString('en')} ids.`
  return ids.length === 0 && edit !== 'replace' ? 'Paste at least one id, or choose a file.' : undefined
}

const verbOf = (edit: MembersEdit, count: number): string =>
  count === 0 && edit === 'replace'
    ? 'Remove all ids'
    : `${words[edit].verb} ${count === 0 ? 'ids' : counted(count, 'id')}`

function consequence(edit: MembersEdit, { count, usedBy }: Segment, read: number): string {
  const atOnce = actsAtOnce({ usedBy })
  if (edit !== 'replace' || count === 0) return atOnce
  const current = counted(count, 'id')
  if (read === 0) return `Nothing is entered: this removes ${count === 1 ? 'the' : 'all'} ${current}. ${atOnce}`
  return `${read === 1 ? 'This replaces' : 'These replace'} the ${current} in the segment. ${atOnce}`
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
