import { Button, Text, Title } from '@mantine/core'
import { areSingleKeysOn, type Keys, keysInUse } from '../keys.ts'
import classes from './keyboard-help.module.css'
import { Overlay } from './overlay.tsx'
import { Strokes } from './strokes.tsx'

/** The shortcuts that work now. */
export function KeyboardHelp({ close }: { close: () => void }) {
  const keys = Object.entries(keysInUse())
  const elsewhere = keys.filter(([stroke]) => stroke.startsWith('g '))
  const here = keys.filter(([stroke]) => !stroke.startsWith('g ') && stroke !== '?')
  return (
    <Overlay label="Keyboard shortcuts" close={close}>
      <div className={classes.content}>
        <Title order={2}>Keyboard shortcuts</Title>
        {!areSingleKeysOn() && (
          <Text size="sm">
            Single keys are switched off. Keys with Ctrl still work. Change this in Appearance and keyboard.
          </Text>
        )}
        <Group
          title="Everywhere"
          keys={[
            ['ctrl+k', { label: 'Search' }],
            ['ctrl+enter', { label: 'Save a form' }],
            ['ctrl+z', { label: 'Undo the last action (not in text fields)' }],
            ['escape', { label: 'Close, or go back' }],
            ['?', { label: 'Show this list' }],
          ]}
        />
        {here.length > 0 && <Group title="On this page" keys={here} />}
        {elsewhere.length > 0 && <Group title="Go to" keys={elsewhere} />}
        <Button variant="default" className={classes.close} onClick={close}>
          Close
        </Button>
      </div>
    </Overlay>
  )
}

function Group({ title, keys }: { title: string; keys: [string, Pick<Keys[string], 'label'>][] }) {
  return (
    <section>
      <Title order={3} size="h3">
        {title}
      </Title>
      <dl className={classes.keys}>
        {keys.map(([stroke, { label }]) => (
          <div key={stroke} className={classes.key}>
            <dt>{label}</dt>
            <dd>
              <Strokes stroke={stroke} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
