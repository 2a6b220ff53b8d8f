import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

export type InLink<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>

/**
 * Links of the router with the look of Mantine: `<TextLink to="/account">`. The compiler checks their addresses. Most
 * contain a name, which can be written from the right to the left.
 */
export const TextLink = createLink((props: InLink<AnchorProps>) => <Anchor dir="auto" {...props} />)
export const ButtonLink = createLink((props: InLink<ButtonProps>) => <Button component="a" {...props} />)
