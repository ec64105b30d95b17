declare module "saxen" {
  type Decode = (text: string) => string;

  /** The streaming part of the parser that is used here; the package has no types of its own. */
  export class Parser {
    on(event: "openTag", handle: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: "closeTag", handle: (name: string) => void): this;
    on(event: "text", handle: (text: string, decode: Decode) => void): this;
    on(event: "cdata", handle: (text: string) => void): this;
    on(event: "error" | "warn", handle: (error: Error) => void): this;
    write(xml: string): this;
    end(): Error | undefined;
  }
}
