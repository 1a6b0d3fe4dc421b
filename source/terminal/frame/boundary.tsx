import { Component } from "react";
import type { ReactNode } from "react";

type Props = { readonly exit: (error: Error) => void; readonly children: ReactNode };

/**
 * Ends the program with what a screen threw, to be reported on the ordinary screen. Ink's own boundary would draw the message
 * with the escape sequences in it, and the terminal obey them.
 */
export class Boundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }
  override componentDidCatch(error: Error): void {
    this.props.exit(error);
  }
  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
