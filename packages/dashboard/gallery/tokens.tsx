import { Button, Checkbox, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { roles } from '../src/ui/theme/theme.ts'
import { Specimen } from './gallery.tsx'
import classes from './tokens.module.css'

const states = ['good', 'unpublished', 'warning', 'bad'] as const

/** What the theme defines: colors by role, text, space and controls. */
export default function Tokens() {
  return (
    <>
      <Specimen title="Roles of colors">
        <ul className={classes.roles}>
          {Object.keys(roles).map((role) => (
            <li key={role}>
              <span className={classes.swatch} data-role={role} style={{ background: `var(${role})` }} />
              <code>{role}</code>
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen title="Text on its tint">
        <Group gap="sm">
          {states.map((state) => (
            <Text key={state} px="sm" py="xs" c={`var(--svc-${state})`} bg={`var(--svc-${state}-tint)`} fw={600}>
              {state}
            </Text>
          ))}
        </Group>
      </Specimen>
      <Specimen title="Text">
        <Stack gap="xs">
          <Title order={2}>Heading of a section, 18 on 26</Title>
          <Title order={3}>Heading below it, 16 on 24</Title>
          <Text size="sm">Body, 14 on 20. Keys and values are in code: one-page-checkout.</Text>
          <Text size="sm" c="dimmed">
            Dimmed text, for what is known already
          </Text>
          <Text size="xs">Small text, 12 on 16</Text>
          <code>sdk_lO0amei2</code>
        </Stack>
      </Specimen>
      <Specimen title="Controls">
        <Stack gap="md">
          <Group gap="xs">
            <Button>Create flag</Button>
            <Button variant="default">Cancel</Button>
            <Button color="red">Delete</Button>
            <Button variant="subtle">More</Button>
          </Group>
          <TextInput label="Name" placeholder="One-page checkout" />
          <TextInput label="Key" defaultValue="Not A Key" error="Use lower-case letters, digits and hyphens." />
          <PasswordInput label="Password" defaultValue="correct horse" />
          <Checkbox label="Move them" />
        </Stack>
      </Specimen>
    </>
  )
}
