import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Fields, type Merged, resolved } from '../form/merge.ts'
import { allOf } from '../words/lists.ts'
import classes from './conflict-dialog.module.css'
import { Dialog } from './dialog.tsx'

type Side = 'mine' | 'theirs'

/** The names of the fields of a form, and their values in words. */
export interface FieldsInWords<Values extends Fields> {
  labels: { [Field in keyof Values]: string }
  shown: (field: keyof Values & string, value: unknown) => ReactNode
  /** All values in a sentence, where that says more than the fields one by one: "everyone gets on". */
  sentence?: ((values: Values) => ReactNode) | undefined
}

interface ConflictDialogProps<Values extends Fields> extends FieldsInWords<Values> {
  /** Who has saved meanwhile: "Olive". */
  who: string
  merged: Merged<Values>
  /** The form saves these values under the new ETag, and shows what is wrong with them. */
  onSave: (values: Values) => void
  isSaving?: boolean
  /** Back to the form, which keeps what was typed. */
  onClose: () => void
}

/**
 * After a 412: what was merged, both values of each field that two people changed, and what would be saved. Mine are
 * chosen at first.
 */
export function ConflictDialog<Values extends Fields>(props: ConflictDialogProps<Values>) {
  const { who, merged, labels, shown, sentence, onSave, isSaving = false, onClose } = props
  const { conflicts } = merged
  const [choices, setChoices] = useState<Record<string, Side>>({})
  const theirs = merged.theirs.map((field) => labels[field] ?? field)
  const result = resolved(merged, choices)
  return (
    <Dialog onClose={onClose} title={`${who} has changed this meanwhile`} size="lg">
      <Stack gap="md">
        {theirs.length > 0 && (
          <Text size="sm">
            {allOf(theirs)} {theirs.length === 1 ? 'is' : 'are'} as {who} saved {theirs.length === 1 ? 'it' : 'them'}.
            Your other changes are kept.
          </Text>
        )}
        {conflicts.length > 0 && <Text size="sm">You both changed the following. Choose what to save.</Text>}
        {conflicts.map(({ field, ...values }) => (
          <fieldset key={field} className={classes.choice}>
            <legend className={classes.legend}>{labels[field] ?? field}</legend>
            <div className={classes.sides}>
              {(['mine', 'theirs'] as const).map((side) => (
                <label key={side} className={classes.side}>
                  <input
                    type="radio"
                    name={`conflict-${field}`}
                    checked={(choices[field] ?? 'mine') === side}
                    onChange={() => setChoices({ ...choices, [field]: side })}
                  />
                  <span>
                    <span className={classes.whose}>{side === 'mine' ? 'Yours' : `${who}’s`}</span>
                    <span className={classes.value}>{shown(field, values[side])}</span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
        <div role="status">
          {sentence && <Text size="sm">Then: {sentence(result)}.</Text>}
          {!sentence && merged.changed.length > 0 && (
            <>
              <Text size="sm">Then it is saved like this:</Text>
              <dl className={classes.result}>
                {merged.changed.map((field) => (
                  <div key={field}>
                    <dt>{labels[field] ?? field}</dt>
                    <dd>{shown(field, result[field])}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back to the form
          </Button>
          <Button loading={isSaving} onClick={() => onSave(result)}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
