import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Keeps its place while its action is loaded, so that the buttons beside it do not move under the pointer. */
export const MakeButton = (props: ButtonProps & ComponentProps<'button'>) => (
  <Button variant="default" size="compact-sm" {...props}>
    Make it an experiment
  </Button>
)
