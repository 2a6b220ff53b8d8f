import { Anchor, Button, Text } from '@mantine/core'
import type { Issue } from '@svc/client'
import { useRef, useState } from 'react'
import { type KeptForm, useNewForm } from '../../../shell/edit-form.tsx'
import { ChangeList, type ListedChange } from '../../../ui/changes/change-list.tsx'
import { type WebNames, webDifferenceWords } from '../../../ui/changes/web-difference-words.ts'
import { CodeArea } from '../../../ui/code/code-area.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { besideField } from '../../../ui/form/field-errors.ts'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { type ChangeSet, checkSet } from './change-set.ts'
import type { Design } from './design.ts'
import classes from './json-panel.module.css'
import type { Saved } from './save-set.tsx'
import { lineOf, pathText, setIn, textOfSet } from './set-text.ts'

interface JsonPanelProps {
  design: Design
  names: WebNames
  /** What the text begins with. Default: what the variation changes. */
  start?: ChangeSet | undefined
  onClose: () => void
}

/** What a check has found in this text. */
interface Checked {
  text: string
  differences: ListedChange[]
  warnings: string[]
}

/** The whole set as text: to paste what an assistant wrote. A check shows every fault, or what a save would change. */
export function JsonPanel({ design, names, start, onClose }: JsonPanelProps) {
  const { variation, canEdit } = design
  const { form, checked } = useJsonForm({ design, start, onClose })
  const { text } = form.values
  if (!canEdit)
    return (
      <SidePanel title="Changes as JSON" description={variation.name} onClose={onClose}>
        <div className={classes.look}>
          <CopyButton text={text} label="Copy" what="the changes" size="xs" />
          <CodeArea label="Changes" value={text} onChange={() => undefined} isReadOnly rows={20} />
        </div>
      </SidePanel>
    )
  const isChecked = checked?.text === text
  return (
    <SidePanel title="Changes as JSON" description={variation.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb={isChecked ? 'Save these changes' : 'Check'}
        failed="The changes were not saved"
        summary={isChecked ? undefined : 'A check saves nothing. It says what is wrong, or what a save would change.'}
        refusal={form.issues.length > 0 && <Faults issues={form.issues} text={text} />}
        actions={
          <Button
            variant="default"
            onClick={() => {
              form.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
        }
      >
        {isChecked && <Outcome checked={checked} names={names} />}
        <CodeArea
          label="Changes"
          name="text"
          description={
            <>
              The whole set with its CSS.{' '}
              <Anchor href="/docs/web-changes.schema.json" inherit>
                The schema
              </Anchor>{' '}
              tells an assistant what it can have.
            </>
          }
          value={text}
          error={form.error('text')}
          onChange={(next) => form.set('text', next)}
          rows={20}
        />
      </ApiForm>
    </SidePanel>
  )
}

type Values = { text: string; base: ChangeSet }

function useJsonForm({ design, start, onClose }: Omit<JsonPanelProps, 'names'>) {
  const { path, content, save, told } = design
  const [checked, setChecked] = useState<Checked>()
  const last = useRef(checked)
  const form: KeptForm<Values> = useNewForm<Values, Saved | Checked | undefined>({
    object: `web-json:${path.experimentId}:${path.variationKey}`,
    initial: { text: textOfSet(start ?? content), base: content },
    rules: { text: (text) => ('fault' in setIn(text) ? (setIn(text) as { fault: string }).fault : undefined) },
    inputOf: () => '',
    send: async ({ text, base }) => {
      const { set } = setIn(text) as { set: ChangeSet }
      if (last.current?.text === text) return save({ base, mine: set })
      return check(path, text, set)
    },
    done: (answer, values) => {
      if (answer && 'set' in answer) {
        onClose()
        return told('The changes are saved.', answer)
      }
      last.current = answer
      setChecked(answer)
      // The form stays, so the browser goes on keeping what is typed.
      return form.setAll(values)
    },
  })
  return { form, checked }
}

/** What a save would change, without saving. */
async function check(path: Design['path'], text: string, set: ChangeSet): Promise<Checked> {
  const { differences, warnings } = await checkSet(path, set)
  return {
    text,
    differences: differences.map((each) => ({ ...each, path: `variations.${path.variationKey}.${each.path}` })),
    warnings,
  }
}

/** Every fault at its path, with its line. */
function Faults({ issues, text }: { issues: readonly Issue[]; text: string }) {
  return (
    <Notice tone="bad" says="at once" title={`${counted(issues.length, 'fault')}: nothing was saved`}>
      <ul className={classes.faults} aria-label="Faults">
        {issues.map(({ path, message }) => {
          const line = lineOf(text, path)
          return (
            <li key={`${pathText(path)} ${message}`}>
              <code>{pathText(path) || 'the whole text'}</code>
              {line !== undefined && <span className={classes.line}>line {line}</span>}
              <div>{besideField(path, message)}</div>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

function Outcome({ checked: { differences, warnings }, names }: { checked: Checked; names: WebNames }) {
  return (
    <Notice
      tone={warnings.length > 0 ? 'warning' : 'good'}
      says="politely"
      title={differences.length === 0 ? 'Nothing differs from the draft' : `Nothing is wrong. A save changes this:`}
    >
      {differences.length > 0 && (
        <ChangeList
          label="What a save changes"
          changes={differences}
          wordsOf={(change) => webDifferenceWords(change, names)}
        />
      )}
      {warnings.map((warning) => (
        <Text size="sm" key={warning}>
          {warning}
        </Text>
      ))}
    </Notice>
  )
}
