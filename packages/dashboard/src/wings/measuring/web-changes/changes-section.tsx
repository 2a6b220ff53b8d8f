import { ActionIcon, Button, List } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { changeSubject, type WebChange } from '../../../ui/changes/web-change-sentence.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { MainAction } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { typeWords } from './change-form.ts'
import { ChangeSentence } from './change-sentence.tsx'
import { type ChangeSet, changesPath, checkSet, moved, pageName, withChange } from './change-set.ts'
import classes from './changes-section.module.css'
import type { Design } from './design.ts'
import { putBack } from './save-set.tsx'

const FirstChange = lazy(async () => ({ default: (await import('./first-change.tsx')).FirstChange }))

/** The changes of a variation, in the order in which they are applied. */
export function ChangesSection({ design }: { design: Design }) {
  const { content, canEdit, go } = design
  const edit = useEdits(design)
  const { changes } = content
  return (
    <Section
      title="Changes"
      description={
        changes.length === 0 ? undefined : `${counted(changes.length, 'change')}, applied from the first to the last.`
      }
      actions={
        <>
          {(canEdit || changes.length > 0) && (
            <Button variant="default" onClick={() => go({ panel: 'json' })}>
              {canEdit ? 'Edit as JSON' : 'Show as JSON'}
            </Button>
          )}
          {canEdit && (
            <MainAction>
              <Button onClick={() => go({ panel: 'add' })}>Add a change</Button>
            </MainAction>
          )}
        </>
      }
    >
      <FailureNotice error={edit.error} title="The changes were not saved" />
      {canEdit && changes.length > 0 && <ContentWarnings design={design} />}
      {changes.length === 0 ? (
        <Suspense>
          <FirstChange design={design} />
        </Suspense>
      ) : (
        <ol className={classes.list} aria-label="Changes">
          {changes.map((change, at) => (
            <li key={change.id} className={classes.change}>
              <div className={classes.words}>
                <ChangeSentence change={change} page={pageName(change.page, design.pages)} />
                <div className={classes.facts}>
                  {typeWords[change.type].label}
                  <code>{change.id}</code>
                </div>
                <Html change={change} />
              </div>
              {canEdit && <Controls change={change} at={at} last={changes.length - 1} edit={edit} go={go} />}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** What to look at in the drafted changes. They can be saved and launched as they are. */
function ContentWarnings({ design: { path, content } }: { design: Design }) {
  const { data: warnings = [] } = useQuery({
    queryKey: ['warnings of', changesPath, path, content],
    queryFn: async ({ signal }) => (await checkSet(path, content, signal)).warnings,
    placeholderData: keepPreviousData,
    // They follow from the changes alone.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (warnings.length === 0) return null
  return (
    <Notice tone="warning" says="politely" title="Check these changes: visitors may not see what you expect">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Notice>
  )
}

function Html({ change }: { change: WebChange }) {
  if (change.type !== 'HTML' && change.type !== 'INSERT') return null
  return (
    <Disclosure summary="Show the HTML">
      <pre className={classes.html}>{change.value}</pre>
    </Disclosure>
  )
}

interface ControlsProps {
  change: WebChange
  at: number
  last: number
  edit: ReturnType<typeof useEdits>
  go: Design['go']
}

function Controls({ change, at, last, edit, go }: ControlsProps) {
  const subject = changeSubject(change)
  return (
    <div className={classes.controls}>
      <Control label={`Edit ${subject}`} Icon={IconPencil} act={() => go({ panel: 'edit', change: change.id })} />
      <Control label={`Move up: ${subject}`} Icon={IconArrowUp} isOff={at === 0} act={() => edit.move(at, at - 1)} />
      <Control
        label={`Move down: ${subject}`}
        Icon={IconArrowDown}
        isOff={at === last}
        act={() => edit.move(at, at + 1)}
      />
      <Control label={`Delete ${subject}`} Icon={IconTrash} act={() => edit.remove(change)} />
    </div>
  )
}

interface ControlProps {
  label: string
  Icon: typeof IconPencil
  /** There is nowhere to go. The button keeps its place and the focus. */
  isOff?: boolean
  act: () => void
}

const Control = ({ label, Icon, isOff = false, act }: ControlProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    aria-label={label}
    title={label}
    aria-disabled={isOff}
    {...(isOff && { 'data-disabled': true })}
    onClick={() => !isOff && act()}
  >
    <Icon size={18} aria-hidden />
  </ActionIcon>
)

/** Moves and deletes at once; both can be undone. */
function useEdits({ content, save, told, path }: Design) {
  const saving = useMutation({
    mutationFn: async ({ mine, message }: { mine: ChangeSet; message: string }) => {
      const base = content
      const saved = await save({ base, mine })
      if (saved) told(message, saved, () => putBack(path, { base: mine, mine: base }))
    },
  })
  return {
    error: saving.error,
    move: (from: number, to: number) =>
      saving.mutate({
        mine: moved(content, from, to),
        message: `Now at place ${to + 1} of ${content.changes.length}.`,
      }),
    remove: ({ id }: WebChange) =>
      saving.mutate({ mine: withChange(content, id, null), message: 'The change is deleted.' }),
  }
}
