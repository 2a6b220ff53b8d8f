import { Anchor, Text } from '@mantine/core'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SizeCalculator } from './size-calculator.tsx'

/** How many visitors an A/B test needs, before there is one. */
export function CalculatorPage() {
  return (
    <Page
      title="Sample size"
      description="How many visitors and days an A/B test needs to find a change of a given size. Nothing is stored."
    >
      <Section title="Your test">
        <SizeCalculator />
      </Section>
      <Text size="sm" c="dimmed">
        The formulas are in the{' '}
        <Anchor href="/docs/statistics#sample-size-and-run-time" inherit underline="always">
          guide to statistics
        </Anchor>
        .
      </Text>
    </Page>
  )
}
