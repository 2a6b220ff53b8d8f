import { Button } from '@mantine/core'
import { useRef } from 'react'
import { randomKey } from '../../../idempotency.ts'
import { type KeptForm, useNewForm } from '../../../shell/edit-form.tsx'
import { changeSubject, type WebChange } from '../../../ui/changes/web-change-sentence.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { capital } from '../../../ui/words/lists.ts'
import { ChangeFields } from './change-fields.tsx'
import {
  type ChangeValues,
  changeOf,
  inputOf,
  newChange,
  newChangeId,
  repeatedProperties,
  valuesOf,
} from './change-form.ts'
import { withChange } from './change-set.ts'
import type { Design } from './design.ts'
import type { Saved } from './save-set.tsx'

interface ChangePanelProps {
  design: Design
  /** Undefined for a new one. */
  change: WebChange | undefined
  onClose: () => void
}

/** The form of one change. It saves the whole set, so what others change meanwhile is merged by change. */
export function ChangePanel({ design, change, onClose }: ChangePanelProps) {
  const { variation, pages, experiment } = design
  const form = useChangeForm({ design, change, onClose })
  const title = change ? capital(changeSubject(change)) : 'Add a change'
  return (
    <SidePanel title={title} description={variation.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb="Save change"
        failed="The change was not saved"
        summary={
          experiment.launchedAt === null
            ? 'It is a draft until you launch the experiment.'
            : 'Visitors get it with the next publish.'
        }
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
        <ChangeFields form={form} pages={pages} />
      </ApiForm>
    </SidePanel>
  )
}

function useChangeForm({ design, change, onClose }: ChangePanelProps) {
  const { path, content, save, told } = design
  const { current: id } = useRef(change?.id ?? newChangeId(randomKey))
  const place = useRef(-1)
  const form: KeptForm<ChangeValues> = useNewForm<ChangeValues, Saved | undefined>({
    object: `web-change:${path.experimentId}:${path.variationKey}:${change?.id ?? 'new'}`,
    initial: change ? valuesOf(change) : newChange,
    rules: { selector: required('Enter a selector.') },
    partRules: repeatedProperties,
    inputOf: (issue, values) => inputOf(issue, values, place.current),
    send: (values) => {
      const mine = withChange(content, id, changeOf(values, id))
      place.current = mine.changes.findIndex((each) => each.id === id)
      // As it was when the form began. Other changes are as they are now, because the form does not edit them.
      return save({ base: withChange(content, id, values.base), mine })
    },
    done: (saved, values) => {
      // Back from the question: what is typed is kept.
      if (!saved) return form.setAll(values)
      onClose()
      return told(change ? 'The change is saved.' : 'The change is added.', saved)
    },
  })
  return form
}
