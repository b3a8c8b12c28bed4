//! The JSON and the BIN chunk of a file, before its schema is read.

use super::container;
use super::schema::Root;
use crate::Report;
use crate::error::BoxedError as Error;
use crate::json::Json;
use crate::scene::Budget;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A file whose JSON is parsed. The document borrows from it.
pub(crate) struct GltfSource<'a, 'b> {
    json: Json<'a>,
    /// The BIN chunk of a GLB.
    pub(super) blob: Option<&'b [u8]>,
}

impl<'a, 'b: 'a> GltfSource<'a, 'b> {
    /// Splits a file into its chunks, and parses the JSON.
    pub(crate) fn parse(bytes: &'b [u8], budget: &'a Budget, report: &mut Report) -> Result<Self, Error> {
        let parts = container::parse(bytes, report)?;
        let text = match parts.json.strip_prefix(BOM) {
            Some(rest) => {
                report.warn("byte 0", "a byte order mark before the JSON", "it was ignored")?;
                rest
            }
            None => parts.json,
        };
        Ok(Self { json: Json::parse(text, budget)?, blob: parts.blob })
    }

    /// Reads the document. One of glTF 1.0 is refused by that name.
    pub(super) fn root(&self, report: &mut Report) -> Result<Root<'_>, Error> {
        let root = Root::read(self.json.root()).map_err(|error| match self.stated_version() {
            Some(version) if version.starts_with("1.") => Error::invalid(
                "asset.version",
                "glTF 2.0",
                format!("glTF {}; glTF-Pipeline converts it", version.chars().take(40).collect::<String>()),
            ),
            _ => error,
        })?;
        warn_of_channels_without_node(&root, report)?;
        Ok(root)
    }

    /// The version that a document states, even if the rest of it is another version's.
    fn stated_version(&self) -> Option<String> {
        self.json.root().get("asset")?.get("version")?.string().ok()
    }
}

/// Warns of channels whose target only `KHR_animation_pointer` defines. glTF ignores channels
/// without a node, so other documents get no warning.
fn warn_of_channels_without_node(root: &Root<'_>, report: &mut Report) -> Result<(), Error> {
    if !root.extensions_used.iter().any(|used| used == "KHR_animation_pointer") {
        return Ok(());
    }
    for (index, animation) in root.animations.iter().enumerate() {
        let count = animation.channels.iter().filter(|channel| channel.node.is_none()).count();
        if count > 0 {
            let found = format!("{count} channels of KHR_animation_pointer");
            report.warn(format!("animations[{index}].channels"), found, "they were ignored")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;
    use crate::json::DEPTH;

    /// Reads a document, and returns whether its first channel, if any, has a node.
    fn parse_text(text: &str) -> Result<Option<bool>, Error> {
        let (budget, report) =
            (Budget::new(&ImportOptions::default(), text.len() as u64), &mut Report::new(false));
        let source = GltfSource::parse(text.as_bytes(), &budget, report)?;
        let root = source.root(report)?;
        let mut channels = root.animations.iter().flat_map(|animation| &animation.channels);
        Ok(channels.next().map(|channel| channel.node.is_some()))
    }

    fn error_text(text: &str) -> String {
        parse_text(text).expect_err("the text is invalid").to_string()
    }

    #[test]
    fn channels_may_lack_a_node_but_not_have_null() {
        let parse_target = |target: &str| {
            let animation = format!(
                r#"{{"samplers":[{{"input":0,"output":1}}],"channels":[{{"sampler":0,"target":{target}}}]}}"#
            );
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"animations":[{animation}]}}"#))
        };
        assert_eq!(parse_target(r#"{"path":"rotation"}"#).unwrap(), Some(false));
        assert!(parse_target(r#"{"node":0,"path":"rotation"}"#).is_ok());
        assert!(parse_target(r#"{"node":null,"path":"rotation"}"#).is_err());
    }

    #[test]
    fn error_next_to_channel_without_node_has_its_line() {
        let text = "{\"asset\":{\"version\":\"2.0\"},\n\"animations\":[{\"samplers\":[],\"channels\":[\n\
            {\"sampler\":0,\"target\":{\"path\":\"rotation\"}}]}],\n\"accessors\":[{\"count\":1}]}";
        let message = error_text(text);
        assert!(message.starts_with("line 4, column ") && message.contains("missing field"), "{message}");
    }

    #[test]
    fn extras_may_be_anything() {
        for extras in ["1", "\"text\"", "[{}]", "null", "{\"a\":[1,2]}"] {
            let text = format!(r#"{{"asset":{{"version":"2.0","extras":{extras}}},"extras":{extras}}}"#);
            assert!(parse_text(&text).is_ok(), "{extras}");
        }
    }

    #[test]
    fn nesting_deeper_than_the_parser_allows_is_refused() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"extras":{open}{close}}}"#))
        };
        assert!(nested(DEPTH - 1).is_ok());
        assert!(nested(DEPTH).is_err());
        assert!(nested(200_000).is_err());
        let brackets_in_text =
            format!(r#"{{"asset":{{"version":"2.0","generator":"\\\"{}"}}}}"#, "[".repeat(1000));
        assert!(parse_text(&brackets_in_text).is_ok());
    }

    #[test]
    fn small_text_cannot_exceed_the_memory_budget() {
        let text =
            format!(r#"{{"asset":{{"version":"2.0"}},"materials":[{{}}{}]}}"#, ",{}".repeat(1_500_000));
        let message = error_text(&text);
        assert!(message.contains("budget"), "{message}");
    }

    #[test]
    fn errors_name_line_and_column() {
        let message = error_text("{\n  \"asset\": 5}");
        assert!(message.starts_with("line 2, column 12: "), "{message}");
    }
}
