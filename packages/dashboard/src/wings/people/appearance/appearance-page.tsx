import { Checkbox, Radio, Stack, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { areSingleKeysOn, switchSingleKeys } from '../../../shell/keys.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { type Density, useDensity } from '../../../ui/theme/density.ts'

/** How the dashboard looks and which keys it takes, in this browser. */
export function AppearancePage() {
  return (
    <Page title="Appearance and keyboard" description="These settings apply to this browser, for everyone who uses it.">
      <AppearanceSection />
      <KeyboardSection />
    </Page>
  )
}

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Like the system' },
] as const

const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact, with more rows on the screen' },
] as const satisfies { value: Density; label: string }[]

function AppearanceSection() {
  // Without this, Mantine writes a <style> to turn transitions off for a moment.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const [density, setDensity] = useDensity()
  return (
    <Section title="Appearance">
      <Stack gap="lg">
        <Choices legend="Colors">
          {schemes.map(({ value, label }) => (
            <Radio
              key={value}
              name="colors"
              label={label}
              checked={colorScheme === value}
              onChange={() => setColorScheme(value)}
            />
          ))}
        </Choices>
        <Choices legend="Density" description="Devices with a touch screen are always comfortable.">
          {densities.map(({ value, label }) => (
            <Radio
              key={value}
              name="density"
              label={label}
              checked={density === value}
              onChange={() => setDensity(value)}
            />
          ))}
        </Choices>
      </Stack>
    </Section>
  )
}

function KeyboardSection() {
  const [isOn, setIsOn] = useState(areSingleKeysOn)
  const change = (next: boolean) => {
    switchSingleKeys(next)
    setIsOn(next)
  }
  return (
    <Section title="Keyboard">
      <Checkbox
        label="Single keys"
        description="Letters such as G, then F, work without Ctrl. Switch them off if you use speech input. Press ? to see them all. Ctrl K always opens the search."
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Section>
  )
}
