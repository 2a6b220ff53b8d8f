import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './conflict-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { allOf } from './lists.ts'

export type Side = 'mine' | 'theirs'

interface ConflictDialogProps {
  /** Who has saved meanwhile: "Olive". */
  who: string
  /** Fields that both changed, with their labels and both values in words. From `merge`. */
  conflicts: readonly { field: string; label: string; mine: ReactNode; theirs: ReactNode }[]
  /** Labels of what only they changed. It is taken over. */
  theirs?: readonly string[]
  /** What would be saved with these choices, as a sentence. */
  result?: (choices: Readonly<Record<string, Side>>) => ReactNode
  /** The page saves `resolved(merged, choices)` under the new ETag. */
  onSave: (choices: Readonly<Record<string, Side>>) => void
  isSaving?: boolean
  /** Back to the form, which keeps what was typed. */
  onClose: () => void
}

/** After a 412: what was merged, and both values of each field that two people changed. Mine are chosen at first. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { who, conflicts, theirs = [], result, onSave, isSaving = false, onClose } = props
  const [choices, setChoices] = useState<Record<string, Side>>(() =>
    Object.fromEntries(conflicts.map(({ field }) => [field, 'mine'])),
  )
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
        {conflicts.map(({ field, label, ...values }) => (
          <fieldset key={field} className={classes.choice}>
            <legend className={classes.legend}>{label}</legend>
            <div className={classes.sides}>
              {(['mine', 'theirs'] as const).map((side) => (
                <label key={side} className={classes.side}>
                  <input
                    type="radio"
                    name={`conflict-${field}`}
                    checked={choices[field] === side}
                    onChange={() => setChoices({ ...choices, [field]: side })}
                  />
                  <span>
                    <span className={classes.whose}>{side === 'mine' ? 'Yours' : `${who}’s`}</span>
                    <span className={classes.value}>{values[side]}</span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
        {result && <Text size="sm">{result(choices)}</Text>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back to the form
          </Button>
          <Button loading={isSaving} onClick={() => onSave(choices)}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
