//! Parses the JSON of a document.

use serde::Deserialize;

use super::json_memory;
use super::schema::Root;
use crate::scene::Budget;
use crate::{Error, Report};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Parses the JSON text of a document.
pub(crate) fn parse(text: &[u8], budget: &Budget, report: &mut Report) -> Result<Root, Error> {
    let text = match text.strip_prefix(BOM) {
        Some(rest) => {
            report.warn("byte 0", "a byte order mark before the JSON", "it was ignored")?;
            rest
        }
        None => text,
    };
    budget.spend_json(json_memory::estimate(text)?.typed)?;
    let root = serde_json::from_slice(text).map_err(|error| match stated_version(text) {
        Some(version) if version.starts_with("1.") => Error::invalid(
            "asset.version",
            "glTF 2.0",
            format!("glTF {}", version.chars().take(40).collect::<String>()),
        ),
        _ => syntax_error(&error),
    })?;
    warn_of_channels_without_node(&root, report)?;
    Ok(root)
}

/// The version that a document states, even if the rest of it is another version's.
fn stated_version(text: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Document {
        asset: Asset,
    }
    #[derive(Deserialize)]
    struct Asset {
        version: String,
    }
    let document: Document = serde_json::from_slice(text).ok()?;
    Some(document.asset.version)
}

/// Warns of channels whose target only `KHR_animation_pointer` defines. glTF ignores channels
/// without a node, so other documents get no warning.
fn warn_of_channels_without_node(root: &Root, report: &mut Report) -> Result<(), Error> {
    if !root.extensions_used.iter().any(|used| used == "KHR_animation_pointer") {
        return Ok(());
    }
    for (index, animation) in root.animations.iter().enumerate() {
        let count = animation.channels.iter().filter(|channel| channel.target.node.is_none()).count();
        if count > 0 {
            let found = format!("{count} channels of KHR_animation_pointer");
            report.warn(format!("animations[{index}].channels"), found, "they were ignored")?;
        }
    }
    Ok(())
}

fn syntax_error(error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    Error::invalid(format!("line {line}, column {column}"), "a document of glTF 2.0", message(error))
}

/// The parser's message without the location.
fn message(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let location = format!(" at line {} column {}", error.line(), error.column());
    let message = whole.strip_suffix(&location).unwrap_or(&whole);
    // The message quotes an invalid string in full.
    if message.len() > 200 {
        format!("{}...", message.chars().take(200).collect::<String>())
    } else {
        message.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;

    fn parse_text(text: &str) -> Result<Root, Error> {
        parse(
            text.as_bytes(),
            &Budget::new(&ImportOptions::default(), text.len() as u64),
            &mut Report::new(false),
        )
    }

    fn error_text(text: &str) -> String {
        parse_text(text).err().expect("the text is invalid").to_string()
    }

    #[test]
    fn channels_may_lack_a_node_but_not_have_null() {
        let parse_target = |target: &str| {
            let animation = format!(
                r#"{{"samplers":[{{"input":0,"output":1}}],"channels":[{{"sampler":0,"target":{target}}}]}}"#
            );
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"animations":[{animation}]}}"#))
        };
        let root = parse_target(r#"{"path":"rotation"}"#).unwrap();
        assert!(root.animations[0].channels[0].target.node.is_none());
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
        assert!(nested(json_memory::DEPTH - 1).is_ok());
        assert!(nested(json_memory::DEPTH).is_err());
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
