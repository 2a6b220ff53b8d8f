import { Button } from '@mantine/core'

/** Leads from an empty page to the page of the docs that says how to fill it. */
export const GuideButton = ({ page }: { page: string }) => (
  <Button component="a" href={`/docs/${page}`} variant="default">
    Read the guide
  </Button>
)
